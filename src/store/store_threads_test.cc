// Many threads at one store.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "store/crawled_store.h"

namespace aduana {
namespace {

TEST(StoreThreads, AStreamSeesOneMomentWhileReportsCheckpointsAndCompactionGoOn) {
  StoreOptions options = small_options();
  options.background = true;
  options.checkpoint_bytes = 2500;
  options.pages.records_bytes = 0;
  options.journal.durability = Durability::none;
  Crawled c(options, 1000);
  const uint64_t digest = c.model.digest();
  const StoreSnapshot snapshot = c.store->snapshot();
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      c.step();
      if (i % 500 == 0) {
        EXPECT_TRUE(c.store->compact());
      }
    }
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(*NaiveStore::digest_of(snapshot), digest);
  uint64_t links = 0, others = 0;
  auto all = snapshot.link_stream();
  auto other_hosts = snapshot.link_stream(true);
  for (int round = 0; round < 2; ++round) {
    while (*all.next()) ++links;
    while (*other_hosts.next()) ++others;
    all.reset();
    other_hosts.reset();
  }
  stop = true;
  writer.join();
  uint64_t expected_links = 0, expected_others = 0;
  for (PageIdx i{0}; i.value < snapshot.pages.size(); ++i.value) {
    const auto list = snapshot.links_of(i);
    expected_links += list->targets.size();
    expected_others += list->other_hosts;
  }
  EXPECT_EQ(links, 2 * expected_links);
  EXPECT_EQ(others, 2 * expected_others);
  EXPECT_EQ(c.digest(), c.model.digest());
  EXPECT_TRUE(problems_of(*c.store).empty());
}

TEST(StoreThreads, ManyThreadsReportTheSamePages) {
  StoreOptions options = small_options();
  options.background = true;
  options.checkpoint_bytes = 4000;
  options.journal.durability = Durability::always;
  SimulatedDisk disk;
  auto store = std::move(*Store::open(disk, kDir, options));
  constexpr int kThreads = 8, kEvents = 300;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      RandomCrawl crawl(11, 10, 50);  // all of them the same, but crawled at other times
      crawl.delay(std::chrono::days(t));
      for (int i = 0; i < kEvents; ++i) EXPECT_TRUE(RandomCrawl::apply(crawl.next(), *store));
    });
  }
  for (auto& thread : threads) thread.join();
  NaiveStore model;
  RandomCrawl crawl(11, 10, 50);
  crawl.delay(Millis{0});
  for (int i = 0; i < kEvents; ++i) RandomCrawl::apply(crawl.next(), model);
  EXPECT_EQ(store->info()->pages.urls(), model.pages().size());
  uint64_t crawls = 0, expected = 0;
  auto stream = store->snapshot().page_stream();
  while (const auto page = *stream.next()) crawls += page->n_crawls;
  for (const auto& page : model.pages()) expected += static_cast<uint64_t>(page.n_crawls);
  EXPECT_EQ(crawls, expected * kThreads);
  EXPECT_TRUE(problems_of(*store).empty());
  // All of it was acknowledged under `always`.
  const auto left = disk.after_power_cut(CutPolicy::lose_all, 5);
  auto again = Store::open(*left, kDir, options);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ((*again)->snapshot().lsn, store->snapshot().lsn);
}

// Merges go on in the background until the store is closed, and must leave nothing that the checkpoint does not name.
TEST(StoreThreads, AClosedStoreHasNoRunThatNobodyNeeds) {
  StoreOptions options = small_options();
  options.background = true;
  options.checkpoint_bytes = 1 << 20;
  SimulatedDisk disk;
  for (uint64_t round = 0; round < 20; ++round) {
    auto store = std::move(*Store::open(disk, kDir, options));
    RandomCrawl crawl(round, 1000, 2000);
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(RandomCrawl::apply(crawl.next(), *store));
    ASSERT_TRUE(store->close());
    EXPECT_EQ(disk.list(std::string(kDir) + "/index")->size(), read_manifest(disk, kDir)->pages.index.size());
  }
}

}  // namespace
}  // namespace aduana
