// The authorities of HITS as a scorer. Between updates a page that was crawled since counts as the hub that the
// authorities it links make it, and gives those it links what such a hub gives.
#pragma once

#include <optional>

#include "graph/rank/hits.h"
#include "score/computed_scorer.h"

namespace aduana {

struct HubsGift {
  double growth = 0;  // by how much authorities get larger in a loop: what a hub gives is divided by this
};

class HitsScorer final : public ComputedScorer<HubsGift> {
 public:
  using ComputedScorer::ComputedScorer;

 protected:
  Result<Convergence> compute_scores(ScoreInput& input, const std::function<bool()>& go_on, Scores& scores) override;
  void spread(const CrawledRow& row, uint64_t known, Scores& scores) const override;

 private:
  std::optional<Hits> hits_;  // keeps its values, from which the next update starts
};

}  // namespace aduana
