// ScoreArrays: a score of every page, as it was and as it is: the values of the last computation and those of the one
// before. In anonymous memory, or in two files of a folder, NAME.old and NAME.new, whose values are taken up again when
// they are there.
//
// Pages that are new have 0 in both. Used by one thread.
#pragma once

#include <span>
#include <string>

#include "base/mapped_array.h"
#include "graph/node.h"

namespace aduana {

struct ScoreFiles {
  std::string folder;    // empty: in memory, without files. It must exist
  bool persist = false;  // whether the files stay when the scores are let go
};

struct OldAndNew {
  float old_value;
  float new_value;
};

class ScoreArrays {
 public:
  static Result<ScoreArrays> open(const ScoreFiles& files, const std::string& name, uint64_t nodes);

  uint64_t size() const { return std::min(old_.size(), new_.size()); }
  Status resize(uint64_t nodes);
  void set_persist(bool persist);

  // A computation: the values that it starts from become the old ones and it works on the new ones in place. When it
  // fails, undo() gives the last values back, as both.
  void begin();
  void undo();

  Result<OldAndNew> get(Node node) const;  // Code::invalid beyond the end
  std::span<float> new_values() { return new_.view_until_resize<float>().first(size()); }

 private:
  ScoreArrays(MappedArray old_values, MappedArray new_values)
      : old_(std::move(old_values)), new_(std::move(new_values)) {}

  MappedArray old_;
  MappedArray new_;
};

}  // namespace aduana
