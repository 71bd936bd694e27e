// RowGraph: what a kernel walks. One row for each node, in order: the nodes that it links to, or, in a graph of
// in-links, those that link to it; every row sorted, without duplicates, its numbers below nodes().
//
//   Status for_each_row(Node lo, Node hi, F f) const
//
// calls f(node, row) for every row of [lo, hi), hi <= nodes(), empty ones too, in order; the row is a
// std::span<const uint32_t> or <const uint64_t> and good during the call. Several threads may walk one graph at once.
// A concept and not a virtual interface, since a call per row would cost as much as the row.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "aduana/result.h"
#include "graph/node.h"

namespace aduana {

struct AnyRow {
  template <class T>
  void operator()(Node, std::span<const T>) const {}
};

template <class G>
concept RowGraph = requires(const G& graph, Node lo, Node hi) {
  { graph.nodes() } -> std::convertible_to<uint64_t>;
  { graph.links() } -> std::convertible_to<uint64_t>;
  { graph.for_each_row(lo, hi, AnyRow{}) } -> std::same_as<Status>;
};

}  // namespace aduana
