// Makes a graph file of links in any order: sorted once for each direction, compressed, and put in place when it is
// whole. Memory is bounded, whatever the graph: what does not fit is sorted on disk.
#pragma once

#include <functional>
#include <string>

#include "base/file.h"
#include "graph/edges/link_source.h"
#include "graph/names/url_table_builder.h"

namespace aduana {

struct GraphBuildOptions {
  uint64_t memory_bytes = uint64_t{1} << 30;
  unsigned threads = 2;
  std::string scratch_folder;  // for what does not fit; empty: beside the graph
  uint64_t nodes = 0;          // at least so many pages; those beyond the largest number have no links
  bool order_by_url = true;    // number the pages in order of their URLs, if these are known
  // Told what is being done, and how far it is, in links or URLs; false stops the work.
  std::function<bool(const char* step, uint64_t done)> progress;
};

// Replaces the file at `path`, or leaves it as it is if there is an error. Code::closed if it was stopped.
Status build_graph(FileSystem& fs, LinkSource& links, UrlSource* urls, const std::string& path,
                   const GraphBuildOptions& options);

}  // namespace aduana
