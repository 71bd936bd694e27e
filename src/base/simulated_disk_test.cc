#include "base/simulated_disk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace aduana {
namespace {

constexpr uint64_t kSeeds = 200;

std::unique_ptr<File> open(FileSystem& disk, const std::string& path, OpenMode mode = OpenMode::create) {
  auto file = disk.open(path, mode);
  EXPECT_TRUE(file) << file.error().message();
  return file ? *std::move(file) : nullptr;
}

// The content, or "-" when there is no such file.
std::string get(FileSystem& disk, const std::string& path) {
  const auto bytes = read_file(disk, path);
  return bytes ? *bytes : "-";
}

// A file whose name and content are durable.
std::unique_ptr<File> durable_file(FileSystem& disk, const std::string& path, std::string_view bytes) {
  auto file = open(disk, path);
  EXPECT_TRUE(file->write_at(0, bytes));
  EXPECT_TRUE(file->sync());
  EXPECT_TRUE(disk.sync_dir(parent_of(path)));
  return file;
}

std::set<std::string> contents_after_cut(const SimulatedDisk& disk, const std::string& path, CutPolicy policy) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) found.insert(get(*disk.after_power_cut(policy, seed), path));
  return found;
}

using Contents = std::set<std::string>;

TEST(SimulatedDisk, SyncedDataAndNamesSurviveEveryCut) {
  SimulatedDisk disk;
  durable_file(disk, "a", "safe");
  for (const CutPolicy policy : kAllCutPolicies)
    EXPECT_EQ(contents_after_cut(disk, "a", policy), Contents{"safe"}) << name_of(policy);
}

TEST(SimulatedDisk, UnsyncedDataMayBeLost) {
  SimulatedDisk disk;
  const auto file = durable_file(disk, "a", "");
  ASSERT_TRUE(file->write_at(0, "x"));
  EXPECT_EQ(contents_after_cut(disk, "a", CutPolicy::lose_all), Contents{""});
  EXPECT_EQ(contents_after_cut(disk, "a", CutPolicy::keep_all), Contents{"x"});
  EXPECT_EQ(contents_after_cut(disk, "a", CutPolicy::random_prefix), (Contents{"", "x"}));
  EXPECT_EQ(contents_after_cut(disk, "a", CutPolicy::reordered), (Contents{"", "x", std::string(1, '\0')}));
}

TEST(SimulatedDisk, SyncCoversOnlyItsFile) {
  SimulatedDisk disk;
  const auto a = durable_file(disk, "a", "");
  const auto b = durable_file(disk, "b", "");
  ASSERT_TRUE(a->write_at(0, "1"));
  ASSERT_TRUE(b->write_at(0, "2"));
  ASSERT_TRUE(b->sync());
  const auto left = disk.after_power_cut(CutPolicy::lose_all, 0);
  EXPECT_EQ(get(*left, "a"), "");
  EXPECT_EQ(get(*left, "b"), "2");
}

TEST(SimulatedDisk, SyncThroughOneHandleCoversWritesOfAnother) {
  SimulatedDisk disk;
  const auto file = durable_file(disk, "a", "");
  ASSERT_TRUE(open(disk, "a", OpenMode::write)->write_at(0, "1"));
  ASSERT_TRUE(file->sync());
  EXPECT_EQ(get(*disk.after_power_cut(CutPolicy::lose_all, 0), "a"), "1");
}

TEST(SimulatedDisk, SyncedDataIsLostWithItsUnsyncedName) {
  SimulatedDisk disk;
  const auto file = open(disk, "a");
  ASSERT_TRUE(file->write_at(0, "data"));
  ASSERT_TRUE(file->sync());
  EXPECT_EQ(get(*disk.after_power_cut(CutPolicy::lose_all, 0), "a"), "-");
  EXPECT_EQ(contents_after_cut(disk, "a", CutPolicy::reordered), (Contents{"-", "data"}));
  ASSERT_TRUE(disk.sync_dir("."));
  EXPECT_EQ(get(*disk.after_power_cut(CutPolicy::lose_all, 0), "a"), "data");
}

TEST(SimulatedDisk, NewFolderNeedsItsParentSynced) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.create_dirs("/x/y"));
  durable_file(disk, "/x/y/a", "data");
  ASSERT_TRUE(disk.sync_dir("/x"));
  EXPECT_FALSE(*disk.after_power_cut(CutPolicy::lose_all, 0)->exists("/x"));
  ASSERT_TRUE(disk.sync_dir("/"));
  EXPECT_EQ(get(*disk.after_power_cut(CutPolicy::lose_all, 0), "/x/y/a"), "data");
}

TEST(SimulatedDisk, RemovedNameComesBackUnlessSynced) {
  SimulatedDisk disk;
  durable_file(disk, "a", "data");
  ASSERT_TRUE(disk.remove("a"));
  EXPECT_EQ(contents_after_cut(disk, "a", CutPolicy::random_prefix), (Contents{"-", "data"}));
  ASSERT_TRUE(disk.sync_dir("."));
  for (const CutPolicy policy : kAllCutPolicies)
    EXPECT_EQ(contents_after_cut(disk, "a", policy), Contents{"-"}) << name_of(policy);
}

TEST(SimulatedDisk, RenameHappenedOrDidNot) {
  SimulatedDisk disk;
  durable_file(disk, "old", "1");
  durable_file(disk, "new", "2");
  ASSERT_TRUE(disk.rename("old", "new"));
  for (const CutPolicy policy : kAllCutPolicies) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const auto left = disk.after_power_cut(policy, seed);
      const std::string both = get(*left, "old") + get(*left, "new");
      EXPECT_TRUE(both == "12" || both == "-1") << both;
    }
  }
}

TEST(SimulatedDisk, ChainOfRenamesNeverGivesAFileTwoNamesNorNone) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.create_dirs("x"));
  ASSERT_TRUE(disk.sync_dir("/"));
  durable_file(disk, "a", "1");
  ASSERT_TRUE(disk.rename("a", "b"));
  ASSERT_TRUE(disk.rename("b", "x/c"));
  ASSERT_TRUE(disk.rename("x/c", "d"));
  ASSERT_TRUE(disk.sync_dir("x"));
  for (const CutPolicy policy : kAllCutPolicies) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const auto left = disk.after_power_cut(policy, seed);
      int names = 0;
      for (const char* name : {"a", "b", "x/c", "d"}) names += *left->exists(name);
      EXPECT_EQ(names, 1) << name_of(policy) << " " << seed;
    }
  }
}

TEST(SimulatedDisk, RenameBetweenFoldersNeedsBothSynced) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.create_dirs("x"));
  ASSERT_TRUE(disk.create_dirs("y"));
  ASSERT_TRUE(disk.sync_dir("/"));
  durable_file(disk, "x/a", "1");
  ASSERT_TRUE(disk.rename("x/a", "y/a"));
  ASSERT_TRUE(disk.sync_dir("y"));
  EXPECT_EQ(contents_after_cut(disk, "y/a", CutPolicy::reordered), (Contents{"-", "1"}));
  ASSERT_TRUE(disk.sync_dir("x"));
  EXPECT_EQ(contents_after_cut(disk, "y/a", CutPolicy::lose_all), Contents{"1"});
  EXPECT_EQ(contents_after_cut(disk, "x/a", CutPolicy::lose_all), Contents{"-"});
}

TEST(SimulatedDisk, PrefixKeepsTheOrderOverFiles) {
  SimulatedDisk disk;
  const auto a = durable_file(disk, "a", "");
  const auto b = durable_file(disk, "b", "");
  for (uint64_t i = 0; i < 5; ++i) {
    ASSERT_TRUE(a->write_at(i, "x"));
    ASSERT_TRUE(b->write_at(i, "x"));
  }
  std::set<size_t> totals;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto left = disk.after_power_cut(CutPolicy::random_prefix, seed);
    const size_t in_a = get(*left, "a").size();
    const size_t in_b = get(*left, "b").size();
    EXPECT_TRUE(in_a == in_b || in_a == in_b + 1);
    totals.insert(in_a + in_b);
  }
  EXPECT_EQ(totals.size(), 11u);
}

TEST(SimulatedDisk, TornWriteIsThereInPart) {
  SimulatedDisk disk;
  const auto file = durable_file(disk, "a", std::string(4000, 'o'));
  ASSERT_TRUE(file->write_at(100, std::string(3000, 'n')));
  bool mid_sector = false;
  bool sector_missing_before_one_written = false;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string left = get(*disk.after_power_cut(CutPolicy::torn, seed), "a");
    ASSERT_EQ(left.size(), 4000u);
    EXPECT_EQ(left.find_first_not_of("on"), std::string::npos);
    EXPECT_EQ(left.substr(0, 100) + left.substr(3100), std::string(1000, 'o'));
    const size_t end = left.find('o', 100);
    mid_sector = mid_sector || (end != 100 && end != 3100 && end % 512 != 0);
    sector_missing_before_one_written = sector_missing_before_one_written || left.find('n', end) != std::string::npos;
  }
  EXPECT_TRUE(mid_sector);
  EXPECT_TRUE(sector_missing_before_one_written);
}

TEST(SimulatedDisk, LostWriteBeforeAKeptOneIsAHoleOfZeros) {
  SimulatedDisk disk;
  const auto file = durable_file(disk, "a", "");
  ASSERT_TRUE(file->write_at(0, "1"));
  ASSERT_TRUE(file->write_at(1, "2"));
  const std::string hole = {'\0', '2'};
  EXPECT_TRUE(contents_after_cut(disk, "a", CutPolicy::reordered).contains(hole));
}

TEST(SimulatedDisk, UnsyncedTruncationMayBeLost) {
  SimulatedDisk disk;
  durable_file(disk, "a", "long content");
  open(disk, "a", OpenMode::create_empty);
  EXPECT_EQ(get(disk, "a"), "");
  EXPECT_EQ(contents_after_cut(disk, "a", CutPolicy::random_prefix), (Contents{"", "long content"}));
}

TEST(SimulatedDisk, SyncAfterTruncateAndRegrowthIsExact) {
  SimulatedDisk disk;
  const auto file = durable_file(disk, "a", std::string(20'000, 'a'));
  ASSERT_TRUE(file->truncate(5'000));
  ASSERT_TRUE(file->write_at(9'000, "b"));
  ASSERT_TRUE(file->sync());
  ASSERT_TRUE(file->write_at(3, "c"));
  ASSERT_TRUE(file->sync());
  std::string expected(5'000, 'a');
  expected.resize(9'000);
  expected += 'b';
  expected[3] = 'c';
  EXPECT_TRUE(get(*disk.after_power_cut(CutPolicy::lose_all, 0), "a") == expected);
}

TEST(SimulatedDisk, KilledProcessLeavesUnsyncedDataUnsynced) {
  SimulatedDisk disk;
  const auto file = durable_file(disk, "a", "1");
  ASSERT_TRUE(file->write_at(0, "2"));
  open(disk, "b");
  const auto killed = disk.after_power_cut(CutPolicy::keep_all, 0);
  EXPECT_EQ(get(*killed, "a"), "2");
  EXPECT_EQ(get(*killed, "b"), "");
  EXPECT_EQ(get(*killed->after_power_cut(CutPolicy::lose_all, 0), "a"), "1");
  EXPECT_EQ(get(*killed->after_power_cut(CutPolicy::lose_all, 0), "b"), "-");
  ASSERT_TRUE(open(*killed, "a")->sync());
  EXPECT_EQ(get(*killed->after_power_cut(CutPolicy::lose_all, 0), "a"), "2");
}

TEST(SimulatedDisk, ForkAndOriginalGoTheirOwnWays) {
  SimulatedDisk disk;
  const auto file = durable_file(disk, "a", "1");
  const auto fork = disk.after_power_cut(CutPolicy::lose_all, 0);
  ASSERT_TRUE(file->write_at(0, "2"));
  ASSERT_TRUE(open(*fork, "a")->write_at(0, "3"));
  EXPECT_EQ(get(disk, "a"), "2");
  EXPECT_EQ(get(*fork, "a"), "3");
}

TEST(SimulatedDisk, SameSeedSameDisk) {
  const auto build = [] {
    auto disk = std::make_unique<SimulatedDisk>();
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(open(*disk, fmt::format("f{}", i))->write_at(0, std::string(2'000, 'x')));
    return disk;
  };
  const auto one = build();
  const auto two = build();
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto a = one->after_power_cut(CutPolicy::reordered, seed);
    const auto b = two->after_power_cut(CutPolicy::reordered, seed);
    const std::vector<std::string> names = *a->list("/");
    ASSERT_EQ(names, *b->list("/"));
    for (const std::string& name : names) EXPECT_EQ(get(*a, name), get(*b, name));
  }
}

TEST(SimulatedDisk, CountsMutatingOperationsAndCallsTheHookBeforeEach) {
  SimulatedDisk disk;
  std::vector<uint64_t> numbers;
  std::vector<std::string> seen;
  disk.on_operation([&](uint64_t n) {
    numbers.push_back(n);
    seen.push_back(get(*disk.after_power_cut(CutPolicy::keep_all, 0), "a"));
  });
  const auto file = open(disk, "a");        // 1
  ASSERT_TRUE(file->write_at(0, "12"));     // 2
  ASSERT_TRUE(file->truncate(1));           // 3
  ASSERT_TRUE(file->sync());                // 4
  ASSERT_TRUE(disk.sync_dir("/"));          // 5
  open(disk, "a");                          // makes nothing
  get(disk, "a");                           // changes nothing
  open(disk, "a", OpenMode::create_empty);  // 6
  ASSERT_TRUE(disk.rename("a", "b"));       // 7
  ASSERT_TRUE(disk.create_dirs("x"));       // 8
  ASSERT_TRUE(disk.remove_dir("x"));        // 9
  ASSERT_TRUE(disk.remove("b"));            // 10
  EXPECT_EQ(disk.operations(), 10u);
  EXPECT_EQ(numbers, (std::vector<uint64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(seen, (std::vector<std::string>{"-", "", "12", "1", "1", "1", "", "-", "-", "-"}));
  disk.on_operation(nullptr);
  open(disk, "c");
  EXPECT_EQ(numbers.size(), 10u);
}

// The promise on which every manifest of a store rests.
TEST(SimulatedDisk, AtomicallyWrittenFileIsOldOrNewAtEveryCut) {
  for (const std::string& old : {std::string("-"), std::string(700, 'o')}) {
    const std::string bytes(1'500, 'n');
    SimulatedDisk disk;
    if (old != "-") durable_file(disk, "a", old);
    std::map<std::string, int> found;
    uint64_t cuts = 0;
    const auto cut = [&](bool done) {
      for (const CutPolicy policy : kAllCutPolicies) {
        for (uint64_t seed = 0; seed < kSeeds; ++seed, ++cuts) {
          const std::string left = get(*disk.after_power_cut(policy, seed), "a");
          ++found[left];
          ASSERT_TRUE(left == bytes || (left == old && !done)) << name_of(policy) << " " << seed;
        }
      }
    };
    disk.on_operation([&](uint64_t) { cut(false); });
    ASSERT_TRUE(write_file_atomically(disk, "a", bytes));
    cut(true);
    EXPECT_EQ(cuts, 6 * kSeeds * std::size(kAllCutPolicies));
    EXPECT_EQ(found.size(), 2u);
  }
}

// What the test above is worth: each sync that is left out shows.
TEST(SimulatedDisk, AtomicWriteThatForgetsASyncIsCaught) {
  for (const bool forget_file : {true, false}) {
    SimulatedDisk disk;
    durable_file(disk, "a", "old");
    const auto file = open(disk, "a.tmp", OpenMode::create_empty);
    ASSERT_TRUE(file->write_at(0, "new"));
    if (!forget_file) {
      ASSERT_TRUE(file->sync());
    }
    ASSERT_TRUE(disk.rename("a.tmp", "a"));
    if (forget_file) {
      ASSERT_TRUE(disk.sync_dir("/"));
    }
    EXPECT_EQ(get(*disk.after_power_cut(CutPolicy::lose_all, 0), "a"), forget_file ? "" : "old");
    EXPECT_GT(contents_after_cut(disk, "a", CutPolicy::reordered).size(), 1u);
  }
}

TEST(SimulatedDisk, AtomicWriteThatFailsLeavesTheOldFile) {
  for (uint64_t n = 1; n <= 4; ++n) {
    for (const Code code : {Code::io, Code::no_space}) {
      SimulatedDisk disk;
      durable_file(disk, "a", "old");
      disk.fail_after(n, code);
      const Status written = write_file_atomically(disk, "a", "new");
      ASSERT_FALSE(written);
      EXPECT_EQ(written.error().code(), code);
      disk.heal();
      EXPECT_EQ(get(disk, "a"), "old");
      ASSERT_TRUE(write_file_atomically(disk, "a", "new"));
      EXPECT_EQ(get(disk, "a"), "new");
    }
  }
}

TEST(SimulatedDisk, FaultStartsAtTheNthOperationAndStays) {
  SimulatedDisk disk;
  const auto file = durable_file(disk, "a", "");
  disk.fail_after(2, Code::io);
  EXPECT_TRUE(file->write_at(0, "1"));
  EXPECT_FALSE(file->sync());
  EXPECT_FALSE(disk.remove("a"));
  EXPECT_FALSE(disk.open("b", OpenMode::create));
  EXPECT_TRUE(disk.open("a", OpenMode::create));
  disk.heal();
  EXPECT_TRUE(disk.remove("a"));
}

TEST(SimulatedDisk, AfterAFailedSyncASecondOneProvesNothing) {
  bool lost = false;
  for (int i = 0; i < 20; ++i) {
    SimulatedDisk disk;
    const auto file = durable_file(disk, "a", "");
    for (int j = 0; j < i; ++j) ASSERT_TRUE(open(disk, "other"));
    ASSERT_TRUE(file->write_at(0, "12"));
    ASSERT_TRUE(file->write_at(2, "34"));
    disk.fail_sync_once();
    ASSERT_FALSE(file->sync());
    ASSERT_TRUE(file->write_at(4, "56"));
    ASSERT_TRUE(file->sync());
    EXPECT_EQ(get(disk, "a"), "123456");
    EXPECT_EQ(get(*disk.after_power_cut(CutPolicy::keep_all, 0), "a"), "123456");
    const std::string left = get(*disk.after_power_cut(CutPolicy::lose_all, 0), "a");
    EXPECT_EQ(left.substr(4), "56");
    lost = lost || left != "123456";
  }
  EXPECT_TRUE(lost);
}

TEST(SimulatedDisk, CapacityStopsGrowthButNotOverwriting) {
  SimulatedDisk disk;
  disk.set_capacity(10);
  const auto a = open(disk, "a");
  const auto b = open(disk, "b");
  ASSERT_TRUE(a->write_at(0, "123456"));
  const Status full = b->write_at(0, "123456");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code(), Code::no_space);
  EXPECT_EQ(get(disk, "b"), "1234");
  EXPECT_TRUE(a->write_at(0, "654321"));
  ASSERT_TRUE(disk.remove("a"));
  EXPECT_TRUE(b->write_at(0, "123456"));
  disk.heal();
  EXPECT_TRUE(b->write_at(0, std::string(100, 'x')));
}

TEST(SimulatedDisk, CorruptionIsSeenAndStays) {
  SimulatedDisk disk;
  const auto file = durable_file(disk, "a", "abc");
  ASSERT_TRUE(file->write_at(3, "d"));
  ASSERT_TRUE(disk.corrupt("a", 1, 0x01));
  ASSERT_TRUE(disk.corrupt("a", 3, 0x01));
  EXPECT_EQ(get(disk, "a"), "acce");
  EXPECT_EQ(contents_after_cut(disk, "a", CutPolicy::random_prefix), (Contents{"acc", "acce"}));
  EXPECT_FALSE(disk.corrupt("a", 4, 1));
  EXPECT_FALSE(disk.corrupt("b", 0, 1));
}

TEST(SimulatedDisk, ForkHasNoLocksHooksNorFaults) {
  SimulatedDisk disk;
  const auto lock = disk.lock("/");
  ASSERT_TRUE(lock);
  ASSERT_TRUE(disk.sync_dir("/"));
  disk.on_operation([](uint64_t) { FAIL() << "the hook of another disk"; });
  disk.fail_after(1, Code::io);
  const auto fork = disk.after_power_cut(CutPolicy::keep_all, 0);
  EXPECT_TRUE(fork->lock("/"));
  EXPECT_TRUE(open(*fork, "a")->write_at(0, "x"));
}

TEST(SimulatedDisk, FilesAndLocksOutliveTheDiskObject) {
  auto disk = std::make_unique<SimulatedDisk>();
  const auto file = open(*disk, "a");
  const auto lock = disk->lock("/");
  disk.reset();
  EXPECT_TRUE(file->write_at(0, "x"));
  EXPECT_TRUE(file->sync());
}

TEST(SimulatedDisk, PathsAreNormalised) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.create_dirs("x//y/"));
  durable_file(disk, "./x/y/a", "1");
  EXPECT_EQ(get(disk, "/x/y/../y/a"), "1");
}

TEST(SimulatedDisk, ManyThreadsWriteWhileOthersCutThePower) {
  SimulatedDisk disk;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&disk, t] {
      const std::string path = fmt::format("f{}", t);
      for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(write_file_atomically(disk, path, std::string(5'000, static_cast<char>('a' + i % 26))));
      }
    });
  }
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const auto left = disk.after_power_cut(kAllCutPolicies[seed % std::size(kAllCutPolicies)], seed);
    for (const char* path : {"f0", "f1", "f2"}) {
      const std::string bytes = get(*left, path);
      EXPECT_TRUE(bytes == "-" || bytes == std::string(5'000, bytes[0]));
    }
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace aduana
