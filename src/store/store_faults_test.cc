// The store when things go wrong: a full disk, a failing one, no store, a second process.

#include <gtest/gtest.h>

#include "store/crawled_store.h"

namespace aduana {
namespace {

TEST(StoreFaults, APathWithoutAStoreIsAnErrorAndNothingIsMade) {
  SimulatedDisk disk;
  StoreOptions options;
  const auto missing = Store::open(disk, "/nowhere/store", options);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), Code::not_found);
  EXPECT_FALSE(*disk.exists("/nowhere"));
  ASSERT_TRUE(disk.create_dirs("/other"));
  ASSERT_TRUE(write_file_atomically(disk, "/other/thesis.txt", "words"));
  options.create = true;
  const auto foreign = Store::open(disk, "/other", options);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code(), Code::exists);
  EXPECT_EQ(disk.list("/other")->size(), 1u);
}

TEST(StoreFaults, AStoreIsOpenOnlyOnce) {
  Crawled c;
  const auto second = Store::open(c.disk, kDir, small_options());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Code::busy);
}

TEST(StoreFaults, AFullDiskRefusesTheChangeAndLosesNothing) {
  Crawled c;
  const uint64_t before = c.digest();
  const Lsn lsn = c.store->snapshot().lsn;
  c.disk.set_capacity(0);
  const ReportedPage page{"http://new/", 0, Instant{}, {}, {}, std::nullopt};
  const auto refused = c.store->report({&page, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::no_space);
  EXPECT_FALSE(c.store->checkpoint());
  EXPECT_EQ(c.digest(), before) << "the store stays readable, and as it was";
  EXPECT_FALSE(c.store->find("http://new/"));
  c.disk.heal();
  ASSERT_TRUE(c.store->report({&page, 1})) << "when there is room again, it goes on";
  EXPECT_EQ(c.store->snapshot().lsn, lsn + 1);
  ASSERT_TRUE(c.store->checkpoint());
  EXPECT_TRUE(problems_of(*c.store).empty());
  const auto left = c.disk.after_power_cut(CutPolicy::lose_all, 1);
  auto again = Store::open(*left, kDir, small_options());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_TRUE((*again)->find("http://new/"));
}

TEST(StoreFaults, AfterAFailedSyncChangesAreRefusedAndReadingGoesOn) {
  StoreOptions options = small_options();
  options.journal.durability = Durability::always;
  Crawled c(options);
  const uint64_t before = c.digest();
  const Lsn acknowledged = c.store->snapshot().lsn;
  c.disk.fail_sync_once();
  const ReportedPage page{"http://new/", 0, Instant{}, {}, {}, std::nullopt};
  ASSERT_FALSE(c.store->report({&page, 1}));
  EXPECT_FALSE(c.store->report({&page, 1}));
  EXPECT_TRUE(c.store->page(PageIdx{0}));
  EXPECT_FALSE(c.store->close());
  c.store.reset();
  const auto left = c.disk.after_power_cut(CutPolicy::lose_all, 1);
  auto again = Store::open(*left, kDir, options);
  ASSERT_TRUE(again) << again.error().message();
  // The event that was refused may be there or not; all that was acknowledged is.
  const auto snapshot = (*again)->snapshot();
  ASSERT_GE(snapshot.lsn, acknowledged);
  ASSERT_LE(snapshot.lsn, acknowledged + 1);
  if (snapshot.lsn == acknowledged) {
    EXPECT_EQ(*NaiveStore::digest_of(snapshot), before);
  } else {
    EXPECT_TRUE((*again)->find("http://new/"));
  }
}

TEST(StoreFaults, EveryOperationThatFailsOnceLeavesAStoreThatOpens) {
  // A disk that fails from the n-th operation on, while reports, checkpoints and merges are under way.
  for (uint64_t n = 1; n < 400; n += 7) {
    SCOPED_TRACE(n);
    StoreOptions options = small_options();
    options.checkpoint_bytes = 500;
    options.retain_journal_bytes = 0;
    options.journal.segment_bytes = 6000;
    options.journal.durability = Durability::always;
    SimulatedDisk disk;
    std::vector<uint64_t> digests{0};
    Lsn acknowledged = 0;
    {
      auto store = std::move(*Store::open(disk, kDir, options));
      NaiveStore model;
      RandomCrawl crawl(n, 10, 50);
      disk.fail_after(n, n % 2 ? Code::io : Code::no_space);
      for (int i = 0; i < 120; ++i) {
        const auto& step = crawl.next();
        if (!step.is_report) continue;
        RandomCrawl::apply(step, model);
        digests.push_back(model.digest());
        if (!RandomCrawl::apply(step, *store)) break;
        acknowledged = store->snapshot().lsn;
      }
    }
    disk.heal();
    const auto left = disk.after_power_cut(CutPolicy::reordered, n);
    auto again = Store::open(*left, kDir, options);
    ASSERT_TRUE(again) << again.error().message();
    const auto snapshot = (*again)->snapshot();
    ASSERT_GE(snapshot.lsn, acknowledged);
    ASSERT_LT(snapshot.lsn, digests.size());
    ASSERT_EQ(*NaiveStore::digest_of(snapshot), digests[snapshot.lsn]);
    EXPECT_TRUE(problems_of(**again).empty());
  }
}

TEST(StoreFaults, AReadOnlyStoreChangesNothingOnDisk) {
  Crawled c;
  const auto crashed = c.disk.after_power_cut(CutPolicy::keep_all, 1);
  const uint64_t before = crashed->operations();
  StoreOptions options = small_options();
  options.read_only = true;
  {
    auto store = Store::open(*crashed, kDir, options);
    ASSERT_TRUE(store) << store.error().message();
    EXPECT_EQ(*NaiveStore::digest_of((*store)->snapshot()), c.model.digest());
    EXPECT_TRUE(problems_of(**store).empty());
    const ReportedPage page{"http://new/", 0, Instant{}, {}, {}, std::nullopt};
    EXPECT_FALSE((*store)->report({&page, 1}));
    EXPECT_FALSE((*store)->checkpoint());
  }
  EXPECT_EQ(crashed->operations(), before);
}

TEST(StoreFaults, AStoreThatDoesNotPersistIsGoneAfterwards) {
  StoreOptions options = small_options();
  options.persist = false;
  Crawled c(options);
  ASSERT_TRUE(c.store->close());
  EXPECT_FALSE(*c.disk.exists(kDir));
}

}  // namespace
}  // namespace aduana
