// The pages of a graph are numbered 0, 1, 2, …; what the numbers stand for is the owner's business.
#pragma once

#include <compare>
#include <cstdint>

namespace aduana {

using Node = uint64_t;

struct NodeLink {
  Node from = 0;
  Node to = 0;
  auto operator<=>(const NodeLink&) const = default;
};

}  // namespace aduana
