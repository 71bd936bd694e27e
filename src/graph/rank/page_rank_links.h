// PageRank pushed over links in any order: each link hands on what its source passed in the loop before (Jacobi).
#pragma once

#include "graph/edges/link_source.h"
#include "graph/rank/page_rank_method.h"

namespace aduana {

class PageRankOnLinks final : public PageRankMethod {
 public:
  PageRankOnLinks(LinkSource& links, uint64_t n_pages) : links_(links), gathered_(n_pages) {}

  Status add_target_scores(const ContentScores& scores, std::span<double> all, std::span<double> own) override;
  Result<PageRankSweep> sweep(PageRankState& state) override;

 private:
  LinkSource& links_;
  ZeroedArray<double> gathered_;  // zero between sweeps
};

}  // namespace aduana
