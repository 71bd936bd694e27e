// Makes the UrlTable of a graph file from URLs in any order, in the memory that it is given.
//
// First all URLs are read and sorted by key, in memory if they fit and else in scratch files (name_sorter.h); then the
// sections can be written. The positions take 8 bytes a URL, of the memory if they fit in it and else of a mapped
// scratch file; write() needs half a byte a URL besides. Scratch files have no names and vanish with the builder. Not
// thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/mapped_array.h"
#include "graph/graph_file_writer.h"
#include "graph/names/name_sorter.h"
#include "graph/names/url_table.h"

namespace aduana {

class UrlSource {
 public:
  virtual ~UrlSource() = default;
  // The URL of node 0, 1, 2, …; nothing at the end. The view is good until the next call.
  virtual Result<std::optional<std::string_view>> next() = 0;
};

class UrlTableBuilder {
 public:
  static Result<std::unique_ptr<UrlTableBuilder>> sort(UrlSource& urls, const UrlTableOptions& options);

  uint64_t nodes() const { return sorted_.size(); }
  // By the number that a URL came with: its place in the order of keys, equal ones by number.
  std::span<const Node> positions() const { return positions_; }
  // Appends the sections. Renumbered: the node of a URL is its position, else the number that it came with.
  Result<UrlTable::Places> write(GraphFileWriter& out, bool renumbered);

 private:
  UrlTableBuilder(SortedNames sorted, MappedArray memory);
  Status write_names(GraphFileWriter& out, UrlTable::Places& places) const;
  Status write_numbers(GraphFileWriter& out, UrlTable::Places& places) const;

  SortedNames sorted_;
  MappedArray memory_;  // of the positions
  std::span<Node> positions_;
};

}  // namespace aduana
