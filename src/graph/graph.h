// A compressed graph in a file: who links to whom, in both directions, in a few bits a link; mapped, so that opening it
// costs nothing and any row can be had at once.
//
// Every bit of the file is under a checksum (docs/formats/graph.md): damage to the header, or to what every look-up
// needs, is found when it is opened, damage to rows and URLs when they are first touched.
//
// Immutable; used by any number of threads.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/file.h"
#include "graph/checked_bytes.h"
#include "graph/compressed_rows.h"
#include "graph/names/url_table.h"

namespace aduana {

struct GraphSizes {
  uint64_t file = 0;
  uint64_t out = 0, in = 0;  // of each direction, with its offsets, model and share of the checksums
  uint64_t urls = 0;
};

class Graph {
 public:
  static Result<std::unique_ptr<Graph>> open(FileSystem& fs, const std::string& path);

  uint64_t nodes() const { return out_.nodes(); }
  uint64_t links() const { return out_.links(); }
  const CompressedRows& out() const { return out_; }
  const CompressedRows& in() const { return in_; }
  const UrlTable* urls() const { return urls_ ? &*urls_ : nullptr; }  // null: pages have numbers only
  const GraphSizes& sizes() const { return sizes_; }

  // Every checksum, every row, and that both directions say the same; `problem` gets a sentence for each that does not
  // hold.
  Status check(const std::function<void(const std::string&)>& problem) const;

 private:
  Graph() = default;

  std::string path_;
  std::unique_ptr<Mapping> mapping_;
  CheckedBytes body_;
  CompressedRows out_, in_;
  std::optional<UrlTable> urls_;
  GraphSizes sizes_;
};

}  // namespace aduana
