// Links in any order, which can be read again from the start: what a graph is made of, and what the link analysis can
// run on when there is no graph. Used by one thread.
#pragma once

#include <cstddef>
#include <span>

#include "aduana/result.h"
#include "graph/node.h"

namespace aduana {

class LinkSource {
 public:
  virtual ~LinkSource() = default;

  // Fills up to links.size() links and says how many; 0: the end.
  virtual Result<size_t> next(std::span<NodeLink> links) = 0;
  virtual Status reset() = 0;
};

}  // namespace aduana
