#include "graph/names/url_table_builder.h"

#include <vector>

#include "graph/names/front_coding.h"
#include "graph/names/name_key.h"

namespace aduana {
namespace {

Result<SortedNames> sort_names(UrlSource& urls, const UrlTableOptions& options) {
  ADUANA_ASSIGN(NameSorter sorter, NameSorter::make(options));
  for (;;) {
    ADUANA_ASSIGN(const std::optional<std::string_view> url, urls.next());
    if (!url) return sorter.finish(sizeof(Node));
    ADUANA_TRY(sorter.add(name_key(*url)));
  }
}

Result<MappedArray> array_for(const SortedNames& sorted, const UrlTableOptions& options) {
  if (sorted.memory_bytes() + sorted.size() * sizeof(Node) <= options.memory_bytes) {
    return MappedArray::anonymous(sorted.size(), sizeof(Node));
  }
  const std::string path = scratch_path(options.scratch_folder);
  Result<MappedArray> array = MappedArray::open(path, sorted.size(), sizeof(Node));
  (void)real_files().remove(path);  // whether it was opened or not; the array lives on without its name
  return array;
}

bool counts_up(std::span<const Node> positions) {
  for (Node i = 0; i < positions.size(); ++i) {
    if (positions[i] != i) return false;
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<UrlTableBuilder>> UrlTableBuilder::sort(UrlSource& urls, const UrlTableOptions& options) {
  ADUANA_ASSIGN(SortedNames sorted, sort_names(urls, options));
  ADUANA_ASSIGN(MappedArray memory, array_for(sorted, options));
  std::unique_ptr<UrlTableBuilder> builder(new UrlTableBuilder(std::move(sorted), std::move(memory)));
  Node position = 0;
  ADUANA_TRY(builder->sorted_.for_each([&](std::string_view, Node node) {
    builder->positions_[node] = position++;
    return Status();
  }));
  return builder;
}

UrlTableBuilder::UrlTableBuilder(SortedNames sorted, MappedArray memory)
    : sorted_(std::move(sorted)), memory_(std::move(memory)), positions_(memory_.view_until_resize<Node>()) {}

Result<UrlTable::Places> UrlTableBuilder::write(GraphFileWriter& out, bool renumbered) {
  UrlTable::Places places;
  ADUANA_TRY(write_names(out, places));
  if (!renumbered && !counts_up(positions_)) ADUANA_TRY(write_numbers(out, places));
  return places;
}

Status UrlTableBuilder::write_names(GraphFileWriter& out, UrlTable::Places& places) const {
  places.names.begin = out.size();
  std::vector<uint64_t> offsets;
  offsets.reserve(nodes() / kUrlsToABlock + 2);
  std::string bytes, before;
  uint64_t position = 0;
  ADUANA_TRY(sorted_.for_each([&](std::string_view key, Node) {
    bytes.clear();
    if (position++ % kUrlsToABlock == 0) {
      offsets.push_back(out.size() - places.names.begin);
      append_sized(bytes, key);
    } else {
      append_front_coded(bytes, before, key);
    }
    before = key;
    return out.append(bytes);
  }));
  places.names.end = out.size();
  offsets.push_back(places.names.size());
  std::string packed;
  append_elias_fano(packed, offsets);
  ADUANA_ASSIGN(places.offsets, out.section(packed));
  return {};
}

Status UrlTableBuilder::write_numbers(GraphFileWriter& out, UrlTable::Places& places) const {
  PackedArrayWriter positions(out, nodes());
  for (const uint64_t position : positions_) ADUANA_TRY(positions.add(position));
  ADUANA_ASSIGN(places.positions, positions.finish());
  PackedArrayWriter numbers(out, nodes());
  ADUANA_TRY(sorted_.for_each([&](std::string_view, Node node) { return numbers.add(node); }));
  ADUANA_ASSIGN(places.nodes, numbers.finish());
  return {};
}

}  // namespace aduana
