// For tests of scoring: a frontier with a scorer, whose pages have numbers.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "frontier/frontier_fixture.h"
#include "graph/node.h"

namespace aduana {

class FrontierScoringTest : public FrontierTest {
 protected:
  void score_by(ScorerKind kind) { options_.scoring.scorer = kind; }

  static std::string url(uint64_t page) { return "http://h" + std::to_string(page % 7) + "/" + std::to_string(page); }
  void crawl(uint64_t page, const std::vector<uint64_t>& links) {
    Urls urls;
    for (const uint64_t link : links) urls.push_back(url(link));
    report(url(page), urls);
    for (const uint64_t link : links) links_.push_back({node(page), node(link)});
  }
  PageScore score(uint64_t page) {
    const auto score = frontier_->score({url(page), {}, {}});
    EXPECT_TRUE(score) << score.error().message();
    return score ? *score : PageScore{};
  }
  // Pages have numbers in the order in which they were found.
  Node node(uint64_t page) { return frontier_->page({url(page), {}, {}})->idx.value; }

  // Takes all that is queued: in order of scores, each within a tenth of what the scorer says.
  void expect_order_of_scores(size_t least) {
    const auto requests = frontier_->request(1'000'000);
    ASSERT_TRUE(requests) << requests.error().message();
    EXPECT_GE(requests->size(), least);
    float last = 2;
    for (const Request& r : *requests) {
      const auto now = frontier_->score({r.url, r.crawl, r.queue});
      ASSERT_TRUE(now);
      ASSERT_TRUE(std::isfinite(now->now) && now->now >= 0 && now->now <= 1) << now->now;
      ASSERT_LE(r.score, last) << r.url;
      ASSERT_NEAR(r.score, now->now, 0.1001f * r.score) << r.url;
      last = r.score;
    }
  }

  std::vector<NodeLink> links_;
};

}  // namespace aduana
