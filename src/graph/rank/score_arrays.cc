#include "graph/rank/score_arrays.h"

#include <algorithm>

namespace aduana {
namespace {

Result<MappedArray> open_array(const ScoreFiles& files, const std::string& name, uint64_t nodes) {
  if (files.folder.empty()) return MappedArray::anonymous(nodes, sizeof(float));
  ADUANA_ASSIGN(auto array, MappedArray::open(files.folder + "/" + name, nodes, sizeof(float)));
  array.set_persist(files.persist);
  return array;
}

}  // namespace

Result<ScoreArrays> ScoreArrays::open(const ScoreFiles& files, const std::string& name, uint64_t nodes) {
  ADUANA_ASSIGN(auto old_values, open_array(files, name + ".old", nodes));
  ADUANA_ASSIGN(auto new_values, open_array(files, name + ".new", nodes));
  return ScoreArrays(std::move(old_values), std::move(new_values));
}

Status ScoreArrays::resize(uint64_t nodes) {
  ADUANA_TRY(old_.resize(nodes));
  return new_.resize(nodes);
}

void ScoreArrays::set_persist(bool persist) {
  old_.set_persist(persist);
  new_.set_persist(persist);
}

// Copied and not swapped, so that each file keeps its name and meaning.
void ScoreArrays::begin() {
  const auto values = new_values();
  std::copy(values.begin(), values.end(), old_.view_until_resize<float>().begin());
}

void ScoreArrays::undo() {
  const auto values = new_values();
  std::copy_n(old_.view_until_resize<float>().begin(), values.size(), values.begin());
}

Result<OldAndNew> ScoreArrays::get(Node node) const {
  ADUANA_ASSIGN(const void* const old_value, old_.at(node));
  ADUANA_ASSIGN(const void* const new_value, new_.at(node));
  return OldAndNew{*static_cast<const float*>(old_value), *static_cast<const float*>(new_value)};
}

}  // namespace aduana
