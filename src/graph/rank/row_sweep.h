// One pass over all rows of a graph, by one thread from the first row to the last, or by several in chunks of rows, and
// the sum of what a row gathers from its targets: the inner loops of the link analysis.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <span>

#include "graph/row_graph.h"

namespace aduana {

// Calls work(lo, hi) for pieces that together are [0, n), on `threads` threads. The first error or exception stops it
// and comes out here.
Status in_chunks(uint64_t n, unsigned threads, const std::function<Status(Node lo, Node hi)>& work);

// Calls row(part, node, targets) for every node below `nodes`; those that the graph does not have get no targets. Every
// chunk has a Part of its own; part.add(other) brings them together.
template <class Part, RowGraph G, class F>
Result<Part> sweep_rows(const G& graph, uint64_t nodes, unsigned threads, F row) {
  const uint64_t rows = std::min<uint64_t>(nodes, graph.nodes());
  const auto chunk = [&](Node lo, Node hi) -> Result<Part> {
    Part part;
    if (lo < rows) {
      ADUANA_TRY(
          graph.for_each_row(lo, std::min(hi, rows), [&](Node node, auto targets) { row(part, node, targets); }));
    }
    for (Node node = std::max(lo, rows); node < hi; ++node) row(part, node, std::span<const Node>{});
    return part;
  };
  if (threads <= 1) return chunk(0, nodes);

  Part whole;
  std::mutex mutex;
  ADUANA_TRY(in_chunks(nodes, threads, [&](Node lo, Node hi) -> Status {
    ADUANA_ASSIGN(const Part part, chunk(lo, hi));
    const std::lock_guard lock(mutex);
    whole.add(part);
    return {};
  }));
  return whole;
}

// The sum of value(target) over a row: in double, since a row may have millions of targets and float would lose the
// last of them, and in four sums, since one would wait for itself.
template <class T, class F>
double sum_over(std::span<const T> row, F value) {
  double a = 0, b = 0, c = 0, d = 0;
  const T* at = row.data();
  size_t left = row.size();
  for (; left >= 4; left -= 4, at += 4) {
    a += value(at[0]);
    b += value(at[1]);
    c += value(at[2]);
    d += value(at[3]);
  }
  if (left > 0) a += value(at[0]);
  if (left > 1) b += value(at[1]);
  if (left > 2) c += value(at[2]);
  return (a + b) + (c + d);
}

}  // namespace aduana
