// The one pass over the links that HITS is made of, in either direction. A way of calculating HITS offers it.
#pragma once

#include <span>

#include "aduana/result.h"
#include "graph/node.h"

namespace aduana {

class HitsMethod {
 public:
  virtual ~HitsMethod() = default;

  // Sets each page's `sums` to what it gets from the `values` of the pages that link to it, or that it links to.
  // Returns the sum of the squares of the sums.
  virtual Result<double> from_sources(std::span<const float> values, std::span<float> sums) = 0;
  virtual Result<double> from_targets(std::span<const float> values, std::span<float> sums) = 0;
};

}  // namespace aduana
