// How a crawled page divides what it has among the pages it links: in equal parts, or by their content scores.
#pragma once

#include <algorithm>
#include <cmath>

#include "score/scorer.h"

namespace aduana {

class ContentShares {
 public:
  explicit ContentShares(const CrawledRow& row) : row_(row) {
    for (const float score : row.content) total_ += worth(score);
  }
  // Of link i; all of them add up to 1.
  float of(size_t i) const {
    if (total_ > 0) return static_cast<float>(worth(row_.content[i]) / total_);
    return 1 / static_cast<float>(row_.links.size());
  }

 private:
  static double worth(float score) { return std::isfinite(score) ? std::max(score, 0.0f) : 0; }

  const CrawledRow& row_;
  double total_ = 0;  // 0: in equal parts
};

}  // namespace aduana
