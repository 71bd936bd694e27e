// Compresses one direction of a graph: learns the model from a sample of the rows, then writes them all, in one pass
// each over the sorted links. Of the graph only a batch of rows is in memory, and eight bytes for a group of them.
#pragma once

#include <functional>

#include "graph/compressed_rows.h"
#include "graph/edges/link_sorter.h"
#include "graph/graph_file_writer.h"

namespace aduana {

struct RowsBuildOptions {
  uint64_t memory_bytes = uint64_t{1} << 30;
  unsigned threads = 1;
  std::function<Status(uint64_t links)> progress;  // told how many are written; an error stops the work
};

// Appends the sections of a graph of so many nodes.
Result<CompressedRows::Places> write_rows(SortedLinks& links, uint64_t nodes, const RowsBuildOptions& options,
                                          GraphFileWriter& out);

}  // namespace aduana
