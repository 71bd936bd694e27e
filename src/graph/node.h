// The pages of a graph by number, 0 … nodes - 1, and the links between them. What page a number stands for is the
// caller's affair: the graph knows none.
#pragma once

#include <cstdint>

namespace aduana {

using Node = uint64_t;

struct NodeLink {
  Node from;
  Node to;

  friend bool operator==(const NodeLink&, const NodeLink&) = default;
};

}  // namespace aduana
