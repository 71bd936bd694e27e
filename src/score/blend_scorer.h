// The scorer that we recommend for crawling: good on webs of very different shapes, without knowing which it is on.
//
// Three things together (docs/crawl-order.md says why they work, and how well):
//   rank         the value of imitation_rank()
//   growth       pages that one page showed turn out alike: by how much the rank of those that were crawled has grown
//                since then is expected of the others
//   exploration  the first pages that a page shows are tried before the hundredth
// Between updates crawled pages hand on their rank as PageRank does.
#pragma once

#include "score/computed_scorer.h"
#include "score/crawled_graph.h"

namespace aduana {

class BlendScorer final : public ComputedScorer {
 public:
  using ComputedScorer::ComputedScorer;

 protected:
  Result<Convergence> compute_scores(ScoreInput& input, const std::function<bool()>& go_on, Scores& scores) override;
  void spread(const CrawledRow& row, uint64_t known, Scores& scores) const override;
  // scores.more: rank without growth; scores.scale: the rank of a page that is new; scores.place: among its siblings.
  float value(PageIdx page, const Scores& scores) const override;

 private:
  Result<Convergence> try_to_compute(ScoreInput& input, const std::function<bool()>& go_on, Scores& scores);
  Status start_values(const PagesSnapshot& pages, bool first_time);
  Status hear_of_new_rows(CrawledGraph& graph, bool first_time);
  std::vector<float> expected_growth(const CrawledGraph& graph) const;

  // Of the computing thread:
  std::vector<float> ranks_;
  std::vector<float> when_crawled_;  // a page's rank, in average ranks, when it was crawled; 0: not, or unknown
  std::vector<bool> heard_;          // pages whose crawl is in ranks_
  uint64_t known_ = 0;               // pages when the last of those was crawled
};

}  // namespace aduana
