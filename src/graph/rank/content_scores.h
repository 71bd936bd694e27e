// ContentScores: what the pages' contents are worth, made fit to calculate with. Only proportions matter, so they are
// scaled (by a power of two, exactly) to a largest of 0.5 … 1: no sum of them overflows.
//
// What is no score counts as 0: negative, NaN, infinite; also less than 1e-20 of the largest, which keeps quotients of
// two scores within a float.
#pragma once

#include <span>
#include <vector>

#include "aduana/result.h"
#include "graph/node.h"

namespace aduana {

class ContentScores {
 public:
  ContentScores() = default;  // none: every page is worth 1

  // One score a page, or none at all; Code::invalid for any other number of them.
  static Result<ContentScores> from(std::span<const float> scores, uint64_t nodes);

  bool given() const { return !scores_.empty(); }
  float of(Node node) const { return scores_.empty() ? 1.0f : scores_[node]; }
  double total() const { return total_; }  // of those given

 private:
  std::vector<float> scores_;
  double total_ = 0;
};

}  // namespace aduana
