// Link analysis reaches the queue: when scores are computed, and that pages stand by them.
#include <random>

#include "frontier/scoring_fixture.h"

namespace aduana {
namespace {

class FrontierRescoringTest : public FrontierScoringTest {};

TEST_F(FrontierRescoringTest, ThePageThatManyLinkComesFirst) {
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

// The original's link scores hardly ever reached its queue.
TEST_F(FrontierRescoringTest, QueuedPagesFollowTheirScoresThroughACrawl) {
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

TEST_F(FrontierRescoringTest, UpdatesComeWhenAShareOfAllPagesWasCrawled) {
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

TEST_F(FrontierRescoringTest, OrAtAnInterval) {
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

TEST_F(FrontierRescoringTest, AReopenedStoreIsScoredBeforeItIsAsked) {
  score_by(ScorerKind::page_rank);
  open();
  seed(url(0));
  crawl(0, {1, 2, 3, 4, 5});
  for (uint64_t page = 1; page < 4; ++page) crawl(page, {5});
  reopen();
  EXPECT_EQ(frontier_->stats()->scoring.updates, 1u);
  EXPECT_EQ(request(1), Urls{url(5)});
}

TEST_F(FrontierRescoringTest, ASeedThatComesLateIsNotTheLast) {
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
TEST_F(FrontierRescoringTest, PagesDoNotMoveOnlyBecauseThereAreMore) {
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

TEST_F(FrontierRescoringTest, AStoreThatCanNotBeScoredIsOpenedAllTheSame) {
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

TEST_F(FrontierRescoringTest, RefusesOptionsThatMakeNoSense) {
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

}  // namespace
}  // namespace aduana
