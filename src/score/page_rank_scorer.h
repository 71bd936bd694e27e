// PageRank as a scorer. Between updates a page that was crawled since gives those it links what PageRank would give
// them in its first loop: damping times its own score, divided among them.
#pragma once

#include <optional>

#include "graph/rank/page_rank.h"
#include "score/computed_scorer.h"

namespace aduana {

struct NothingElse {};

class PageRankScorer final : public ComputedScorer<NothingElse> {
 public:
  using ComputedScorer::ComputedScorer;

 protected:
  Result<Convergence> compute_scores(ScoreInput& input, const std::function<bool()>& go_on, Scores& scores) override;
  void spread(const CrawledRow& row, uint64_t known, Scores& scores) const override;

 private:
  std::optional<PageRank> page_rank_;  // keeps its values, from which the next update starts
};

}  // namespace aduana
