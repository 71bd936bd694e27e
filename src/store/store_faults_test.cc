// The store when things go wrong: a full disk, a failing one, damaged files, a second process, many threads.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/simulated_disk.h"
#include "store/naive_store.h"
#include "store/random_crawl.h"
#include "store/rebuild.h"
#include "store/store.h"

namespace aduana {
namespace {

constexpr const char* kDir = "/store";

StoreOptions small_options() {
  StoreOptions options;
  options.create = true;
  options.background = false;
  options.pages.index.cache_bytes = 4096;
  options.pages.index.memtable_entries = 100;
  return options;
}

std::vector<std::string> problems_of(Store& store) {
  std::vector<std::string> problems;
  EXPECT_TRUE(store.check([&](const std::string& problem) { problems.push_back(problem); }));
  return problems;
}

// A store with some hundred events, and the model of it.
struct Crawled {
  SimulatedDisk disk;
  NaiveStore model;
  std::unique_ptr<Store> store;
  RandomCrawl crawl{3, 10, 50};

  explicit Crawled(const StoreOptions& options = small_options(), int events = 500) {
    store = std::move(*Store::open(disk, kDir, options));
    for (int i = 0; i < events; ++i) step();
  }
  void step() {
    const auto& next = crawl.next();
    RandomCrawl::apply(next, model);
    EXPECT_TRUE(RandomCrawl::apply(next, *store));
  }
  uint64_t digest() { return *NaiveStore::digest_of(store->snapshot()); }
};

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

TEST(StoreFaults, CheckFindsAFlippedBitInEveryFile) {
  StoreOptions options = small_options();
  options.checkpoint_bytes = 1250;
  options.retain_journal_bytes = 0;
  Crawled c(options, 2000);
  ASSERT_TRUE(c.store->close());
  c.store.reset();
  int files = 0;
  for (const std::string folder : {"", "/journal", "/index"}) {
    const auto names = c.disk.list(kDir + folder);
    ASSERT_TRUE(names);
    for (const auto& name : *names) {
      const std::string path = kDir + folder + "/" + name;
      const auto file = c.disk.open(path, OpenMode::read);
      const uint64_t size = file ? *(*file)->size() : 0;
      if (size == 0) continue;
      SCOPED_TRACE(path);
      ++files;
      const auto damaged = c.disk.after_power_cut(CutPolicy::keep_all, 1);
      ASSERT_TRUE(damaged->corrupt(path, size / 2, 0x10));
      StoreOptions read_only = options;
      read_only.read_only = true;
      auto store = Store::open(*damaged, kDir, read_only);
      // The journal's last segment, cut where it can't be read, is a torn tail like any other when nothing behind it
      // shows that it had been synced; the checkpoint tells then that events are missing.
      EXPECT_TRUE(!store || !problems_of(**store).empty());
      if (!store) {
        EXPECT_EQ(store.error().code(), Code::corrupt) << store.error().message();
      }
    }
  }
  EXPECT_GE(files, 9);
}

TEST(StoreFaults, RebuildFromTheWholeJournalGivesTheSameStore) {
  StoreOptions options = small_options();
  options.keep_journal = true;
  options.checkpoint_bytes = 1250;
  options.journal.segment_bytes = 8000;
  Crawled c(options, 1000);
  const uint64_t digest = c.digest();
  ASSERT_TRUE(c.store->close());
  c.store.reset();
  for (const std::string name : {"pages.rec", "urls.dir", "MANIFEST"}) {
    ASSERT_TRUE(c.disk.corrupt(std::string(kDir) + "/" + name, 20, 0xff));
  }
  EXPECT_FALSE(Store::open(c.disk, kDir, options));
  const auto result = rebuild(c.disk, kDir, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(result->from_journal);
  EXPECT_TRUE(result->settings_lost);
  auto store = Store::open(c.disk, kDir, options);
  ASSERT_TRUE(store) << store.error().message();
  EXPECT_EQ(*NaiveStore::digest_of((*store)->snapshot()), digest);
  EXPECT_TRUE(problems_of(**store).empty());
}

TEST(StoreFaults, RebuildWithoutTheJournalsBeginningMakesTheIndexAgain) {
  StoreOptions options = small_options();
  options.checkpoint_bytes = 1250;
  options.retain_journal_bytes = 0;
  options.journal.segment_bytes = 8000;
  Crawled c(options, 1000);
  const uint64_t digest = c.digest();
  ASSERT_TRUE(c.store->close());
  c.store.reset();
  const auto runs = c.disk.list("/store/index");
  ASSERT_TRUE(runs);
  ASSERT_FALSE(runs->empty());
  for (const auto& name : *runs) ASSERT_TRUE(c.disk.remove("/store/index/" + name));
  EXPECT_FALSE(Store::open(c.disk, kDir, options));
  const auto result = rebuild(c.disk, kDir, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_FALSE(result->from_journal);
  auto store = Store::open(c.disk, kDir, options);
  ASSERT_TRUE(store) << store.error().message();
  EXPECT_EQ(*NaiveStore::digest_of((*store)->snapshot()), digest);
  EXPECT_TRUE(problems_of(**store).empty());
}

TEST(StoreFaults, CheckNoticesAFileOfAnotherStore) {
  Crawled c;
  ASSERT_TRUE(c.store->close());
  c.store.reset();
  // The same hosts in another order: every checksum is right, every URL is wrong.
  SimulatedDisk other;
  {
    auto store = std::move(*Store::open(other, kDir, small_options()));
    for (int host = 9; host >= 0; --host) {
      const std::string url = "http://host" + std::to_string(host) + ".example/";
      const Discovery discovery{url, 0, {}};
      ASSERT_TRUE(store->discover({&discovery, 1}));
    }
    ASSERT_TRUE(store->close());
  }
  const auto hosts = read_file(other, "/store/hosts-00000000.log");
  const auto ours = read_file(c.disk, "/store/hosts-00000000.log");
  ASSERT_TRUE(hosts && ours);
  ASSERT_EQ(hosts->size(), ours->size());
  ASSERT_TRUE(write_file_atomically(c.disk, "/store/hosts-00000000.log", *hosts));
  StoreOptions options = small_options();
  options.pages.index.memtable_entries = 100000;
  auto store = Store::open(c.disk, kDir, options);
  EXPECT_TRUE(!store || !problems_of(**store).empty());
}

TEST(StoreFaults, RebuildThatCantWorkChangesNothing) {
  StoreOptions options = small_options();
  options.checkpoint_bytes = 1250;
  options.retain_journal_bytes = 0;
  options.journal.segment_bytes = 8000;
  Crawled c(options, 1000);
  ASSERT_TRUE(c.store->close());
  c.store.reset();
  ASSERT_TRUE(c.disk.corrupt("/store/links-00000000.log", 200, 1));
  const uint64_t before = c.disk.operations();
  const auto result = rebuild(c.disk, kDir, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), Code::corrupt);
  EXPECT_EQ(c.disk.operations(), before);
}

TEST(StoreFaults, FilesOfOthersInTheFolderStay) {
  Crawled c;
  ASSERT_TRUE(c.store->close());
  for (const std::string name : {"/store/links-backup.log", "/store/index/notes", "/store/backup-mine"}) {
    ASSERT_TRUE(write_file_atomically(c.disk, name, "mine"));
  }
  ASSERT_TRUE(c.disk.create_dirs("/store/index/folder"));
  // What a crash left goes.
  ASSERT_TRUE(write_file_atomically(c.disk, "/store/links-0000abcd.log", "stray"));
  c.store = std::move(*Store::open(c.disk, kDir, small_options()));
  EXPECT_TRUE(*c.disk.exists("/store/links-backup.log"));
  EXPECT_TRUE(*c.disk.exists("/store/index/notes"));
  EXPECT_TRUE(*c.disk.exists("/store/backup-mine"));
  EXPECT_FALSE(*c.disk.exists("/store/links-0000abcd.log"));
}

TEST(StoreFaults, AMissingFileIsDamageAndTheRemedyIsNamed) {
  Crawled c;
  ASSERT_TRUE(c.store->close());
  c.store.reset();
  ASSERT_TRUE(c.disk.remove("/store/pages.rec"));
  const auto store = Store::open(c.disk, kDir, small_options());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), Code::corrupt);
  EXPECT_NE(store.error().message().find("pages.rec"), std::string::npos);
  EXPECT_NE(store.error().message().find("rebuild"), std::string::npos);
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

TEST(StoreFaults, AStreamSeesOneMomentWhileReportsCheckpointsAndCompactionGoOn) {
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

TEST(StoreFaults, ManyThreadsReportTheSamePages) {
  StoreOptions options = small_options();
  options.background = true;
  options.checkpoint_bytes = 4000;
  options.journal.durability = Durability::always;
  SimulatedDisk disk;
  auto store = std::move(*Store::open(disk, kDir, options));
  constexpr int kThreads = 8, kEvents = 300;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      RandomCrawl crawl(11, 10, 50);  // all of them the same
      for (int i = 0; i < kEvents; ++i) EXPECT_TRUE(RandomCrawl::apply(crawl.next(), *store));
    });
  }
  for (auto& thread : threads) thread.join();
  NaiveStore model;
  RandomCrawl crawl(11, 10, 50);
  for (int i = 0; i < kEvents; ++i) RandomCrawl::apply(crawl.next(), model);
  EXPECT_EQ(store->info()->urls, model.pages().size());
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

}  // namespace
}  // namespace aduana
