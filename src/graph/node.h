// The pages of a graph are numbered from zero; a link is a pair of such numbers.
#pragma once

#include <cstdint>

namespace aduana {

using Node = uint64_t;  // number of a page in a graph

struct NodeLink {
  Node from, to;
};

}  // namespace aduana
