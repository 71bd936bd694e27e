// What a compressed graph costs: bits and time a link, and link analysis on it beside the same in memory.
//
// All measurements are of one thread's CPU time, since none of them waits, but that of building. They take turns, and
// of each the fastest counts: what else the machine does only adds.
#pragma once

#include <cstdint>
#include <string>

#include "aduana/result.h"
#include "graph/rank/csr.h"

namespace aduana::bench {

struct GraphFigures {
  uint64_t nodes = 0, links = 0;
  double bits_out = 0, bits_in = 0;                // a link, with offsets, model and checksums
  double build = 0, build_cpu = 0;                 // ns a link, both directions; by two threads
  double sequential_out = 0, sequential_in = 0;    // ns a link, all rows in order, handed to who counts them
  double walk_out = 0, walk_in = 0;                // the same, with a reader who adds all links up
  double random_out = 0, random_row = 0;           // ns a link and ns a row, rows of random pages
  double walk_csr = 0;                             // that reader, from memory
  double page_rank_csr = 0, page_rank_packed = 0;  // ns a link and loop
  double jacobi = 0;                               // ns a link and loop, the plain loop
  uint64_t page_rank_loops = 0, jacobi_loops = 0;  // until no value changes by more than a hundredth of the mean
  double hits = 0;                                 // ns a link and loop, from memory

  double jacobi_time_ratio() const {  // of Jacobi to PageRank in memory, until that precision is reached
    return jacobi * static_cast<double>(jacobi_loops) / (page_rank_csr * static_cast<double>(page_rank_loops));
  }
};

// `out` are the links of the graph. The file is made in `folder`.
Result<GraphFigures> measure_graph(const Csr<uint32_t>& out, const std::string& folder, unsigned repeat);

}  // namespace aduana::bench
