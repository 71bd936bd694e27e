// The header of a graph file; see graph.h.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "aduana/result.h"
#include "base/file.h"
#include "graph/compressed_rows.h"
#include "graph/names/url_table.h"

namespace aduana {

struct GraphHeader {
  uint64_t nodes = 0, links = 0;
  uint64_t body_bytes = 0;
  uint64_t table_checksum = 0;
  CompressedRows::Places out, in;
  UrlTable::Places urls;  // all empty: there are none

  static constexpr size_t kBytes = 256;

  std::string encode() const;
  // Of a file of so many bytes. Errors are without the file's name.
  static Result<GraphHeader> decode(std::string_view file);

 private:
  template <class Header>
  static auto all_places(Header& header);
};

// Whether a file is a graph to judge by its first bytes; it may be damaged.
Result<bool> begins_like_graph(FileSystem& fs, const std::string& path);

}  // namespace aduana
