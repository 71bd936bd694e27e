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

struct BlendScores {
  std::vector<float> ranks;   // without growth
  float newcomer = 0;         // the rank of a page that was found since
  PageArray<uint8_t> places;  // among its siblings: how many bits the number has
};

class BlendScorer final : public ComputedScorer<BlendScores> {
 public:
  using ComputedScorer::ComputedScorer;

 protected:
  Result<Convergence> compute_scores(ScoreInput& input, const std::function<bool()>& go_on, Scores& scores) override;
  void spread(const CrawledRow& row, uint64_t known, Scores& scores) const override;
  float value(PageIdx page, const Scores& scores) const override;

 private:
  // What one update hands on to the next.
  struct Learned {
    std::vector<float> ranks;         // empty: nothing
    std::vector<float> when_crawled;  // a page's rank, in average ranks, when it was crawled; 0: not, or unknown
    std::vector<bool> heard;          // pages whose crawl is in `ranks`
    uint64_t known = 0;               // pages when the last of those was crawled
  };

  Status start_values(const PagesSnapshot& pages, Learned& learned) const;
  Status hear_of_new_rows(CrawledGraph& graph, bool first_time, Learned& learned) const;
  static std::vector<float> expected_growth(const CrawledGraph& graph, const Learned& learned);

  Learned learned_;  // of the computing thread
};

}  // namespace aduana
