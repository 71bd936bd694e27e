// LinkSource: the links of a graph in any order, which can be read again from the start.
//
// What graphs are built from, and what link analysis can run on when there is no graph: an edge file, the links of a
// store, sorted links. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <span>

#include "aduana/result.h"
#include "graph/node.h"

namespace aduana {

class LinkSource {
 public:
  virtual ~LinkSource() = default;

  // Fills up to links.size() and returns how many; 0 is the end.
  virtual Result<size_t> next(std::span<NodeLink> links) = 0;
  // The next link is the first one again.
  virtual Status reset() = 0;
};

}  // namespace aduana
