// HITS pushed over links in any order.
#pragma once

#include "base/zeroed_array.h"
#include "graph/edges/link_source.h"
#include "graph/rank/hits_method.h"

namespace aduana {

class HitsOnLinks final : public HitsMethod {
 public:
  HitsOnLinks(LinkSource& links, uint64_t n_pages) : links_(links), gathered_(n_pages) {}

  Result<double> from_sources(std::span<const float> values, std::span<float> sums) override;
  Result<double> from_targets(std::span<const float> values, std::span<float> sums) override;

 private:
  double take(std::span<float> sums);

  LinkSource& links_;
  ZeroedArray<double> gathered_;  // zero between passes
};

}  // namespace aduana
