// Link analysis as the frontier's user sees it: what scorers say of pages.
#include <fmt/format.h>

#include <map>
#include <random>

#include "frontier/scoring_fixture.h"
#include "graph/rank/slow_link_analysis.h"

namespace aduana {
namespace {

TEST_F(FrontierScoringTest, WithoutAScorerPagesStandByWhatWasReported) {
  open();
  seed(url(1), 0.25f);
  EXPECT_EQ(score(1).now, 0.25f);
  EXPECT_TRUE(frontier_->update_scores());
}

TEST_F(FrontierScoringTest, OpicHandsCashOn) {
  score_by(ScorerKind::opic);
  open();
  seed(url(0));
  EXPECT_FLOAT_EQ(score(0).now, 0.5f);  // a cash of 1
  crawl(0, {1, 2});
  crawl(1, {2, 3, 4, 5});
  EXPECT_FLOAT_EQ(score(2).now, 0.625f / 1.625f);
  EXPECT_FLOAT_EQ(score(3).now, 0.125f / 1.125f);
  EXPECT_EQ(score(0).now, 0);
  EXPECT_EQ(request(1), Urls{url(2)});
}

TEST_F(FrontierScoringTest, OpicIsTheSameAfterARestart) {
  score_by(ScorerKind::opic);
  open();
  std::mt19937 random(1);
  seed(url(0));
  for (uint64_t page = 0; page < 200; ++page) crawl(page, {page + 1, random() % 1000, random() % 1000});
  for (uint64_t page = 2000; page < 2010; ++page) crawl(page, {page % 7, random() % 1000});  // nobody knew them
  std::map<uint64_t, float> before;
  for (uint64_t page = 0; page < 1000; ++page) {
    if (frontier_->page({url(page), {}, {}})) before[page] = score(page).now;
  }
  reopen();
  for (const auto& [page, was] : before) EXPECT_NEAR(score(page).now, was, 1e-6) << page;
  expect_order_of_scores(100);
}

// As clients do that know their seeds themselves: the first that is heard of them is that they were crawled.
TEST_F(FrontierScoringTest, ASeedThatIsReportedUnaskedHasSomethingToGive) {
  for (const ScorerKind kind : {ScorerKind::opic, ScorerKind::page_rank, ScorerKind::blend}) {
    SCOPED_TRACE(name_of(kind));
    score_by(kind);
    open(std::string("/seeded-") + name_of(kind));
    seed(url(0));
    crawl(0, {1, 2});
    const float expected = score(1).now;
    EXPECT_GT(expected, 0);
    open(std::string("/unasked-") + name_of(kind));
    crawl(0, {1, 2});
    EXPECT_EQ(score(1).now, expected);
  }
}

TEST_F(FrontierScoringTest, PageRankIsThatOfTheTextbook) {
  score_by(ScorerKind::page_rank);
  options_.scoring.precision = 1e-5;
  open();
  std::mt19937 random(2);
  seed(url(0));
  for (uint64_t page = 0; page < 60; ++page) crawl(page, {page + 1, random() % 90, random() % 90, 7});
  ASSERT_TRUE(frontier_->update_scores());
  const size_t pages = frontier_->stats()->urls;
  std::sort(links_.begin(), links_.end());
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
  const auto expected = solved_page_rank(pages, links_, {});
  for (uint64_t page = 0; page < 60; ++page) EXPECT_NEAR(score(page).now, expected[node(page)], 1e-6) << page;
  const ScoringStatus status = frontier_->stats()->scoring;
  EXPECT_EQ(status.scorer, ScorerKind::page_rank);
  EXPECT_TRUE(status.reached);
  EXPECT_EQ(status.failure, "");
  expect_order_of_scores(10);
}

TEST_F(FrontierScoringTest, OldAndNewScores) {
  score_by(ScorerKind::page_rank);
  open();
  seed(url(0));
  crawl(0, {1, 2});
  ASSERT_TRUE(frontier_->update_scores());
  const float first = score(1).now;
  crawl(2, {1});
  ASSERT_TRUE(frontier_->update_scores());
  EXPECT_FLOAT_EQ(score(1).before, first);
  EXPECT_GT(score(1).now, first);
}

TEST_F(FrontierScoringTest, ALinkCountsAtOnceAndNotOnlyAtTheNextUpdate) {
  for (const ScorerKind kind : {ScorerKind::page_rank, ScorerKind::hits, ScorerKind::blend}) {
    SCOPED_TRACE(name_of(kind));
    score_by(kind);
    open(std::string("/") + name_of(kind));
    seed(url(0));
    crawl(0, {1, 2, 3, 4});
    crawl(1, {2, 3, 4});
    ASSERT_TRUE(frontier_->update_scores());
    const uint64_t updates = frontier_->stats()->scoring.updates;
    const float before = score(4).now;
    crawl(2, {4, 50});
    EXPECT_GT(score(4).now, before);
    EXPECT_GT(score(50).now, 0);
    EXPECT_EQ(frontier_->stats()->scoring.updates, updates);
    EXPECT_EQ(request(1), Urls{url(4)});
  }
}

TEST_F(FrontierScoringTest, ContentScoresAreMergedOnRequest) {
  for (const ScorerKind kind : {ScorerKind::opic, ScorerKind::page_rank, ScorerKind::blend}) {
    for (const bool merged : {false, true}) {
      SCOPED_TRACE(name_of(kind));
      score_by(kind);
      options_.scoring.use_content_scores = merged;
      open(std::string("/") + name_of(kind) + (merged ? "-merged" : ""));
      seed(url(0));
      const std::string good = url(1), bad = url(2);
      const ReportedLink links[] = {{bad, 0.1f, kDefaultPriority}, {good, 0.9f, kDefaultPriority}};
      ReportedPage page;
      const std::string from = url(0);
      page.url = from;
      page.score = 0.5f;
      page.links = links;
      ASSERT_TRUE(frontier_->report({&page, 1}));
      ASSERT_TRUE(frontier_->update_scores());
      if (merged) {
        EXPECT_GT(score(1).now, 2 * score(2).now);
      } else {
        EXPECT_NEAR(score(1).now, score(2).now, 0.6f * score(1).now);
      }
    }
  }
}

TEST_F(FrontierScoringTest, RepeatedReportsAndRecrawlsGiveNothingTwice) {
  score_by(ScorerKind::blend);
  open();
  seed(url(0));
  crawl(0, {1, 2});
  const float once = score(1).now;
  crawl(0, {1, 2});  // the clock stands: the same crawl again
  EXPECT_EQ(score(1).now, once);
  clock_.advance(Millis{5000});
  crawl(0, {1, 2});
  EXPECT_EQ(score(1).now, once);
}

TEST_F(FrontierScoringTest, OddScoresAndShapesStayFinite) {
  for (const ScorerKind kind : {ScorerKind::opic, ScorerKind::page_rank, ScorerKind::hits, ScorerKind::blend}) {
    SCOPED_TRACE(name_of(kind));
    score_by(kind);
    options_.scoring.use_content_scores = true;
    open(std::string("/") + name_of(kind));
    EXPECT_TRUE(frontier_->update_scores());  // nothing at all
    seed(url(0), 0);
    EXPECT_TRUE(frontier_->update_scores());  // one page
    const std::string from = url(0), a = url(1), b = url(2), self = url(0);
    const ReportedLink links[] = {{a, 1e38f, 0}, {b, -1e38f, 0}, {self, 0, 0}};
    ReportedPage page;
    page.url = from;
    page.score = 3e38f;
    page.links = links;
    ASSERT_TRUE(frontier_->report({&page, 1}));
    crawl(1, {1});  // only itself
    crawl(2, {});   // nothing
    EXPECT_TRUE(frontier_->update_scores());
    crawl(77, {78});  // a part by itself
    EXPECT_TRUE(frontier_->update_scores());
    for (const uint64_t p : {0, 1, 2, 77, 78}) {
      const PageScore s = score(p);
      EXPECT_TRUE(std::isfinite(s.now) && s.now >= 0 && s.now <= 1) << s.now;
      EXPECT_TRUE(std::isfinite(s.before)) << s.before;
    }
    expect_order_of_scores(1);
  }
}

// Many pages that link the same ones, one of them worthless, while the next update is far away.
TEST_F(FrontierScoringTest, WhatIsGivenBetweenUpdatesStaysFinite) {
  for (const ScorerKind kind : {ScorerKind::opic, ScorerKind::page_rank, ScorerKind::hits, ScorerKind::blend}) {
    SCOPED_TRACE(name_of(kind));
    score_by(kind);
    options_.scoring.use_content_scores = true;
    options_.scoring.update_pages = 100'000;
    open(std::string("/") + name_of(kind));
    std::vector<std::string> urls;
    for (uint64_t page = 0; page < 100; ++page) urls.push_back(url(page));
    std::vector<ReportedLink> links;
    for (const std::string& target : urls) links.push_back({target, links.empty() ? 0.0f : 0.9f, kDefaultPriority});
    for (uint64_t page = 0; page < 200; ++page) {
      const std::string from = url(1000 + page);
      ReportedPage report;
      report.url = from;
      report.links = links;
      ASSERT_TRUE(frontier_->report({&report, 1}));
      if (page == 3) {
        ASSERT_TRUE(frontier_->update_scores());
      }
    }
    bool differ = false;
    for (uint64_t page = 0; page < 100; ++page) {
      const float now = score(page).now;
      ASSERT_TRUE(std::isfinite(now) && now >= 0 && now <= 1) << now;
      differ |= now != score(0).now;
    }
    EXPECT_TRUE(differ || kind == ScorerKind::hits);
    expect_order_of_scores(90);
  }
}

// A graph larger than the memory allowed for it is read from the store in every loop, to the same end.
TEST_F(FrontierScoringTest, AGraphThatDoesNotFitIsReadFromTheStore) {
  for (const ScorerKind kind : {ScorerKind::page_rank, ScorerKind::hits, ScorerKind::blend}) {
    SCOPED_TRACE(name_of(kind));
    std::map<uint64_t, float> in_memory;
    for (const uint64_t bytes : {uint64_t{1} << 30, uint64_t{0}}) {
      score_by(kind);
      options_.scoring.graph_bytes = bytes;
      options_.scoring.precision = 1e-5;
      open(fmt::format("/{}-{}", name_of(kind), bytes));
      std::mt19937 random(4);
      seed(url(0));
      for (uint64_t page = 0; page < 300; ++page) crawl(page, {page + 1, random() % 400, random() % 400});
      ASSERT_TRUE(frontier_->update_scores());
      for (uint64_t page = 0; page < 300; ++page) {
        if (bytes) {
          in_memory[page] = score(page).now;
        } else {
          EXPECT_NEAR(score(page).now, in_memory[page], 1e-5) << page;
        }
      }
    }
  }
}

}  // namespace
}  // namespace aduana
