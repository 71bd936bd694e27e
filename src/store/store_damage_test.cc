// Damaged, missing and foreign files: what check finds, what opening says, what rebuild mends.

#include <gtest/gtest.h>

#include "store/crawled_store.h"
#include "store/rebuild.h"

namespace aduana {
namespace {

TEST(StoreDamage, CheckFindsAFlippedBitInEveryFile) {
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

TEST(StoreDamage, RebuildFromTheWholeJournalGivesTheSameStore) {
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

TEST(StoreDamage, RebuildWithoutTheJournalsBeginningMakesTheIndexAgain) {
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

TEST(StoreDamage, RebuildWithoutAnyJournalGoesOnFromTheCheckpoint) {
  Crawled c;
  const uint64_t digest = c.digest();
  ASSERT_TRUE(c.store->close());
  c.store.reset();
  const auto segments = c.disk.list("/store/journal");
  ASSERT_TRUE(segments);
  for (const auto& name : *segments) ASSERT_TRUE(c.disk.remove("/store/journal/" + name));
  const auto lost = Store::open(c.disk, kDir, small_options());
  ASSERT_FALSE(lost);
  EXPECT_NE(lost.error().message().find("aduana db rebuild"), std::string::npos) << lost.error().message();
  const auto result = rebuild(c.disk, kDir, small_options());
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_FALSE(result->from_journal);
  c.store = std::move(*Store::open(c.disk, kDir, small_options()));
  EXPECT_EQ(c.digest(), digest);
  for (int i = 0; i < 100; ++i) c.step();
  EXPECT_EQ(c.digest(), c.model.digest());
  EXPECT_TRUE(problems_of(*c.store).empty());
}

TEST(StoreDamage, CheckNoticesAFileOfAnotherStore) {
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

TEST(StoreDamage, RebuildThatCantWorkChangesNothing) {
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

TEST(StoreDamage, FilesOfOthersInTheFolderStay) {
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

TEST(StoreDamage, AMissingFileIsDamageAndTheRemedyIsNamed) {
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

}  // namespace
}  // namespace aduana
