// Scorers beside reports and requests of other threads: nothing is lost, nothing is NaN, and in the end every queued
// page stands where its score says.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>
#include <thread>

#include "aduana/frontier.h"
#include "base/simulated_disk.h"
#include "frontier/open_frontier.h"

namespace aduana {
namespace {

class ScoringThreads : public ::testing::TestWithParam<ScorerKind> {};

TEST_P(ScoringThreads, PagesStandByTheirScoresInTheEnd) {
  SimulatedDisk disk;
  FrontierOptions options;
  options.politeness = PolitenessOptions::none();
  options.cache_bytes = 1 << 20;
  options.scoring.scorer = GetParam();
  options.scoring.update_pages = 50;
  auto frontier = std::move(*open_frontier(disk, "/crawl", options, store_options_of(options)));
  const std::string root = "http://root/";
  const Discovery seed{.url = root};
  ASSERT_TRUE(frontier->discover({&seed, 1}));

  constexpr int kThreads = 4, kRounds = 250;
  std::atomic<bool> failed = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int round = 0; round < kRounds && !failed; ++round) {
        const auto next = frontier->request(4);
        if (!next) failed = true;
        for (const Request& r : *next) {
          if (!std::isfinite(r.score)) failed = true;
          std::vector<std::string> urls;
          for (int i = 0; i < 10; ++i) {
            urls.push_back("http://h" + std::to_string(random() % 20) + "/" +
                           std::to_string(static_cast<int>(std::pow(random() % 3000, 2) / 3000)));
          }
          std::vector<ReportedLink> links;
          for (const std::string& url : urls) links.push_back({url, 0.5f, kDefaultPriority});
          ReportedPage page;
          page.url = r.url;
          page.links = links;
          const auto reported = frontier->report({&page, 1});
          if (!reported || reported->pages[0].error) failed = true;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_FALSE(failed);
  ASSERT_TRUE(frontier->update_scores());
  const auto stats = frontier->stats();
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->scoring.failure, "");
  EXPECT_GE(stats->scoring.updates, 1u);
  EXPECT_TRUE(frontier->check([](const std::string& problem) { ADD_FAILURE() << problem; }));

  const auto all = frontier->request(1'000'000);
  ASSERT_TRUE(all);
  EXPECT_GE(all->size(), 100u);
  float last = 2;
  for (const Request& r : *all) {
    const auto score = frontier->score({r.url, {}, {}});
    ASSERT_TRUE(score && std::isfinite(score->now) && std::isfinite(score->before));
    ASSERT_NEAR(r.score, score->now, 0.1001f * r.score) << r.url;
    ASSERT_LE(r.score, last);
    last = r.score;
  }
  EXPECT_TRUE(frontier->close());
}

INSTANTIATE_TEST_SUITE_P(Scorers, ScoringThreads,
                         ::testing::Values(ScorerKind::opic, ScorerKind::page_rank, ScorerKind::hits,
                                           ScorerKind::blend),
                         [](const auto& scorer) {
                           std::string name = name_of(scorer.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace aduana
