// Link analysis reaches the queue: what scorers say, and that pages stand by it.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <random>
#include <thread>

#include "frontier/frontier_fixture.h"
#include "graph/rank/slow_link_analysis.h"

namespace aduana {
namespace {

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
  std::map<uint64_t, float> before;
  for (uint64_t page = 0; page < 1000; ++page) {
    if (frontier_->page({url(page), {}, {}})) before[page] = score(page).now;
  }
  reopen();
  for (const auto& [page, was] : before) EXPECT_NEAR(score(page).now, was, 1e-6) << page;
  expect_order_of_scores(100);
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
  std::sort(links_.begin(), links_.end(),
            [](const NodeLink& a, const NodeLink& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
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

TEST_F(FrontierScoringTest, ThePageThatManyLinkComesFirst) {
  for (const ScorerKind kind : {ScorerKind::opic, ScorerKind::page_rank, ScorerKind::hits, ScorerKind::blend}) {
    SCOPED_TRACE(name_of(kind));
    score_by(kind);
    open(std::string("/") + name_of(kind));
    seed(url(0));
    crawl(0, {1, 2, 3, 4, 5, 6, 7, 8});
    for (uint64_t page = 1; page < 6; ++page) crawl(page, {8, 100 + page});
    ASSERT_TRUE(frontier_->update_scores());
    EXPECT_EQ(request(1), Urls{url(8)});
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

// The original's link scores hardly ever reached its queue.
TEST_F(FrontierScoringTest, QueuedPagesFollowTheirScoresThroughACrawl) {
  for (const ScorerKind kind : {ScorerKind::opic, ScorerKind::page_rank, ScorerKind::hits, ScorerKind::blend}) {
    SCOPED_TRACE(name_of(kind));
    score_by(kind);
    links_.clear();
    open(std::string("/") + name_of(kind));
    std::mt19937 random(3);
    seed(url(0));
    for (int i = 0; i < 1000; ++i) {
      const auto next = frontier_->request(1);
      ASSERT_TRUE(next && !next->empty());
      const uint64_t page = std::stoull(next->front().url.substr(next->front().url.rfind('/') + 1));
      Urls urls;
      for (int n = 0; n < 8; ++n) urls.push_back(url(static_cast<uint64_t>(std::pow(random() % 5000, 2) / 5000)));
      report(url(page), urls);
    }
    const ScoringStatus status = frontier_->stats()->scoring;
    if (kind != ScorerKind::opic) {
      EXPECT_GE(status.updates, 5u);  // at 100 pages and then whenever there are 100 more
      EXPECT_GT(status.moved, 0u);
    }
    expect_sound();
    ASSERT_TRUE(frontier_->update_scores());
    expect_order_of_scores(500);
    expect_sound();
  }
}

TEST_F(FrontierScoringTest, UpdatesComeWhenAShareOfAllPagesWasCrawled) {
  score_by(ScorerKind::page_rank);
  options_.scoring.update_pages = 10;
  options_.scoring.update_share = 0.5;
  open();
  seed(url(0));
  std::vector<uint64_t> updates;
  for (uint64_t page = 0; page < 60; ++page) {
    crawl(page, {page + 1});
    updates.push_back(frontier_->stats()->scoring.updates);
  }
  EXPECT_EQ(updates[8], 0u);
  EXPECT_EQ(updates[9], 1u);
  EXPECT_EQ(updates[18], 1u);
  EXPECT_EQ(updates[19], 2u);
  EXPECT_EQ(updates[38], 2u);  // the half of 39 is more than 19
  EXPECT_EQ(updates[39], 3u);
}

TEST_F(FrontierScoringTest, OrAtAnInterval) {
  score_by(ScorerKind::page_rank);
  options_.scoring.update_interval = Millis{1000};
  open();
  seed(url(0));
  for (uint64_t page = 0; page < 300; ++page) crawl(page, {page + 1});
  EXPECT_EQ(frontier_->stats()->scoring.updates, 0u);
  clock_.advance(Millis{1000});
  crawl(300, {301});
  EXPECT_EQ(frontier_->stats()->scoring.updates, 1u);
}

TEST_F(FrontierScoringTest, AReopenedStoreIsScoredBeforeItIsAsked) {
  score_by(ScorerKind::page_rank);
  open();
  seed(url(0));
  crawl(0, {1, 2, 3, 4, 5});
  for (uint64_t page = 1; page < 4; ++page) crawl(page, {5});
  reopen();
  EXPECT_EQ(frontier_->stats()->scoring.updates, 1u);
  EXPECT_EQ(request(1), Urls{url(5)});
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
      if (page == 3) ASSERT_TRUE(frontier_->update_scores());
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

TEST_F(FrontierScoringTest, ASeedThatComesLateIsNotTheLast) {
  for (const ScorerKind kind : {ScorerKind::opic, ScorerKind::page_rank, ScorerKind::blend}) {
    SCOPED_TRACE(name_of(kind));
    score_by(kind);
    open(std::string("/") + name_of(kind));
    seed(url(0));
    for (uint64_t page = 0; page < 100; ++page) crawl(page, {page + 1, 1000 + page, 2000 + page, 3000 + page, 7});
    ASSERT_TRUE(frontier_->update_scores());
    seed(url(9000));
    const Urls next = request(100);
    EXPECT_NE(std::find(next.begin(), next.end(), url(9000)), next.end());
  }
}

// As the web grows every page has a smaller share of it, which is no reason to move them all.
TEST_F(FrontierScoringTest, PagesDoNotMoveOnlyBecauseThereAreMore) {
  score_by(ScorerKind::page_rank);
  options_.scoring.update_pages = 100'000;
  open();
  seed(url(0));
  for (uint64_t page = 0; page < 300; ++page) crawl(page, {page + 1, 10'000 + page, 20'000 + page});
  ASSERT_TRUE(frontier_->update_scores());
  const uint64_t moved = frontier_->stats()->scoring.moved;
  for (uint64_t page = 300; page < 600; ++page) crawl(page, {page + 1, 10'000 + page, 20'000 + page});
  ASSERT_TRUE(frontier_->update_scores());
  // Twice as many pages, and half the score each: of those that were there before hardly any moves.
  const uint64_t new_ones = 2 * 300;
  EXPECT_LT(frontier_->stats()->scoring.moved - moved, new_ones + 600 / 4);
}

TEST_F(FrontierScoringTest, AStoreThatCanNotBeScoredIsOpenedAllTheSame) {
  options_.scoring.scorer = ScorerKind::content;
  open();
  seed(url(0));
  for (uint64_t page = 0; page < 50; ++page) crawl(page, {page + 1, 100 + page});
  ASSERT_TRUE(frontier_->close());
  frontier_.reset();
  const auto files = disk_.list(kDir);
  ASSERT_TRUE(files);
  for (const std::string& name : *files) {
    if (!name.starts_with("links-")) continue;
    const auto file = std::move(*disk_.open(join_path(kDir, name), OpenMode::write));
    ASSERT_TRUE(file->write_at(60, "damage"));
  }
  score_by(ScorerKind::page_rank);
  open();
  const auto stats = frontier_->stats();
  ASSERT_TRUE(stats);
  EXPECT_NE(stats->scoring.failure, "");
  EXPECT_EQ(stats->scoring.updates, 0u);
  EXPECT_FALSE(frontier_->update_scores());
  EXPECT_EQ(request(1).size(), 1u);
  crawl(900, {901});  // goes on
}

TEST_F(FrontierScoringTest, RefusesOptionsThatMakeNoSense) {
  const auto refused = [&](auto change) {
    FrontierOptions options = options_;
    options.scoring.scorer = ScorerKind::page_rank;
    change(options.scoring);
    const auto opened = open_frontier(disk_, "/refused", options, store_options_of(options));
    return !opened && opened.error().code() == Code::invalid;
  };
  EXPECT_TRUE(refused([](ScoringOptions& o) { o.damping = 1; }));
  EXPECT_TRUE(refused([](ScoringOptions& o) { o.damping = std::nan(""); }));
  EXPECT_TRUE(refused([](ScoringOptions& o) { o.update_share = -1; }));
  EXPECT_TRUE(refused([](ScoringOptions& o) { o.update_interval = Millis{-1}; }));
  EXPECT_TRUE(refused([](ScoringOptions& o) { o.precision = 0; }));
  EXPECT_TRUE(refused([](ScoringOptions& o) { o.threads = 0; }));
  EXPECT_TRUE(scorer_named("page-rank"));
  EXPECT_FALSE(scorer_named("pagerank"));
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
