#include "schedule/spilled_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/must.h"
#include "base/watched_disk.h"

namespace aduana {
namespace {

constexpr const char* kPath = "/spill";
constexpr size_t kChunk = 4;

using Entries = std::vector<PendingEntry>;

Entries sorted_entries(size_t n, std::mt19937_64& random) {
  Entries entries;
  for (size_t i = 0; i < n; ++i) entries.emplace_back(random() % 1000, PageIdx{random() % 1000});
  std::sort(entries.begin(), entries.end());
  return entries;
}

class SpilledRunsTest : public testing::Test {
 protected:
  // Runs of these sizes; all their entries are in all_.
  void add(std::initializer_list<size_t> sizes) {
    for (const size_t n : sizes) {
      const Entries entries = sorted_entries(n, random_);
      must(runs_->add(entries));
      all_.insert(all_.end(), entries.begin(), entries.end());
    }
  }
  // What for_each visits and what take() gives, the one as the other; the runs are empty afterwards.
  void expect_all() {
    std::sort(all_.begin(), all_.end());
    EXPECT_EQ(runs_->size(), all_.size());
    Entries visited, taken, chunk;
    must(runs_->for_each([&](const PendingEntry& entry) { visited.push_back(entry); }));
    while (!runs_->empty()) {
      const PendingEntry next = runs_->next();
      must(runs_->take(chunk));
      ASSERT_FALSE(chunk.empty());
      EXPECT_EQ(chunk.front(), next);
      EXPECT_TRUE(std::is_sorted(chunk.begin(), chunk.end()));
      EXPECT_TRUE(runs_->empty() || !(runs_->next() < next)) << "next() was not the best";
      taken.insert(taken.end(), chunk.begin(), chunk.end());
    }
    std::sort(visited.begin(), visited.end());
    std::sort(taken.begin(), taken.end());
    EXPECT_EQ(visited, all_);
    EXPECT_EQ(taken, all_);
    EXPECT_EQ(runs_->size(), 0u);
    EXPECT_EQ(file_->chunks(), 0u);
  }

  WatchedDisk disk_;
  std::unique_ptr<SpillFile> file_ = must(SpillFile::open(disk_, kPath, kChunk));
  std::unique_ptr<SpilledRuns> runs_ = std::make_unique<SpilledRuns>(*file_);
  std::mt19937_64 random_{1};
  Entries all_;
};

TEST_F(SpilledRunsTest, TakeGivesTheBestChunkOfAllRuns) {
  add({1, 4, 5, 30, 17});
  EXPECT_EQ(runs_->runs(), 5u);
  EXPECT_EQ(file_->chunks(), 1u + 1 + 2 + 8 + 5);
  expect_all();
}

TEST_F(SpilledRunsTest, EightRunsOfASizeBecomeOne) {
  for (int i = 0; i < 7; ++i) add({8});
  must(runs_->merge());
  EXPECT_EQ(runs_->runs(), 7u);
  add({8});
  must(runs_->merge());
  EXPECT_EQ(runs_->runs(), 1u);
  EXPECT_EQ(file_->chunks(), 16u) << "what was merged is let go";
  expect_all();
}

TEST_F(SpilledRunsTest, RunsStayFewAndAreMergedTwiceAtMost) {
  constexpr size_t kRuns = 1500;
  const uint64_t before = disk_.below().operations();
  for (size_t i = 0; i < kRuns; ++i) {
    add({kChunk});
    must(runs_->merge());
    ASSERT_LE(runs_->runs(), 14 + i / 64);
  }
  EXPECT_LE(disk_.below().operations() - before, 3 * kRuns) << "each chunk once, and two merges";
  expect_all();
}

TEST_F(SpilledRunsTest, LongRunsAreLeftAlone) {
  for (int i = 0; i < 9; ++i) add({64 * kChunk});
  const uint64_t before = disk_.below().operations();
  must(runs_->merge());
  EXPECT_EQ(runs_->runs(), 9u);
  EXPECT_EQ(disk_.below().operations(), before);
}

TEST_F(SpilledRunsTest, FilterDropsEntriesAndEmptyRuns) {
  add({30, 3, 9});
  must(runs_->add(Entries{{5000, PageIdx{1}}, {5000, PageIdx{2}}}));
  must(runs_->filter([](const PendingEntry& entry) { return entry.key() < 500; }));
  std::erase_if(all_, [](const PendingEntry& entry) { return entry.key() >= 500; });
  EXPECT_EQ(runs_->runs(), 3u);
  expect_all();
}

TEST_F(SpilledRunsTest, AWriteThatFailsLeavesAllRunsAsTheyWere) {
  for (int i = 0; i < 8; ++i) add({9});
  const size_t chunks = file_->chunks();
  for (uint64_t n = 1; n <= 18; ++n) {  // 72 entries in 18 chunks, when merged
    disk_.below().fail_after(n, Code::no_space);
    EXPECT_FALSE(runs_->merge()) << n;
    EXPECT_EQ(file_->chunks(), chunks);
    disk_.below().heal();
  }
  disk_.below().fail_after(2, Code::no_space);
  EXPECT_FALSE(runs_->add(sorted_entries(10, random_)));
  EXPECT_EQ(file_->chunks(), chunks);
  EXPECT_EQ(runs_->runs(), 8u);
  disk_.below().heal();
  expect_all();
}

TEST_F(SpilledRunsTest, FilterThatFailsLosesNothingThatIsWanted) {
  add({20, 20, 20});
  disk_.below().fail_after(4, Code::no_space);
  const auto even = [](const PendingEntry& entry) { return entry.key() % 2 == 0; };
  const Status filtered = runs_->filter(even);
  ASSERT_FALSE(filtered);
  EXPECT_EQ(filtered.error().code(), Code::no_space);
  EXPECT_EQ(runs_->runs(), 3u);
  disk_.below().heal();
  const size_t left = runs_->size();
  must(runs_->filter(even));
  EXPECT_EQ(runs_->size(), left) << "not so soon again";
  add({30, 30, 30});
  must(runs_->filter(even));
  std::erase_if(all_, [&](const PendingEntry& entry) { return !even(entry); });
  expect_all();
}

TEST_F(SpilledRunsTest, AChunkThatCannotBeReadIsDropped) {
  add({12});
  must(disk_.below().corrupt(kPath, 5, 1));
  Entries chunk;
  const Status taken = runs_->take(chunk);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code(), Code::corrupt);
  EXPECT_TRUE(chunk.empty());
  EXPECT_EQ(runs_->size(), 8u);
  all_.erase(all_.begin(), all_.begin() + 4);
  expect_all();
}

TEST_F(SpilledRunsTest, ReadsThatFailLeaveAllRunsAsTheyWere) {
  for (int i = 0; i < 8; ++i) add({9});
  disk_.fail_reads(Code::io);
  EXPECT_FALSE(runs_->merge());
  EXPECT_FALSE(runs_->filter([](const PendingEntry&) { return false; }));
  EXPECT_FALSE(runs_->for_each([](const PendingEntry&) {}));
  disk_.fail_reads(std::nullopt);
  EXPECT_EQ(runs_->runs(), 8u);
  expect_all();
}

TEST_F(SpilledRunsTest, GoneRunsLetGoOfTheirChunks) {
  add({30, 40});
  EXPECT_GT(file_->chunks(), 0u);
  runs_.reset();
  EXPECT_EQ(file_->chunks(), 0u);
}

}  // namespace
}  // namespace aduana
