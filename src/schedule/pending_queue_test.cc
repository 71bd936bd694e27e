#include "schedule/pending_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/must.h"
#include "base/watched_disk.h"

namespace aduana {
namespace {

constexpr const char* kPath = "/spill";
constexpr size_t kChunk = 4;

using Entries = std::vector<PendingEntry>;
using Model = std::multiset<PendingEntry>;

Entries entries_of(const PendingQueue& queue) {
  Entries entries;
  must(queue.for_each([&](const PendingEntry& entry) { entries.push_back(entry); }));
  std::sort(entries.begin(), entries.end());
  return entries;
}

Entries popped(PendingQueue& queue) {
  Entries entries;
  for (; !queue.empty(); must(queue.pop())) entries.push_back(queue.top());
  return entries;
}

class PendingQueueTest : public testing::Test {
 protected:
  // Entries that do not come in order, two of each.
  Entries push(size_t n) {
    Entries entries;
    for (size_t i = 0; i < n; ++i) {
      entries.emplace_back(i / 2 * 37 % 101, PageIdx{i / 2});
      queue_.push(entries.back());
    }
    std::sort(entries.begin(), entries.end());
    return entries;
  }
  uint64_t file_bytes() { return must(must(disk_.open(kPath, OpenMode::read))->size()); }

  WatchedDisk disk_;
  std::unique_ptr<SpillFile> file_ = must(SpillFile::open(disk_, kPath, kChunk));
  PendingQueue queue_;
};

// Small numbers, so that equal keys and equal entries are common.
PendingEntry any_entry(std::mt19937_64& random) { return {random() % 60, PageIdx{random() % 8}}; }

void expect_same(const PendingQueue& queue, const Model& model) {
  ASSERT_EQ(queue.size(), model.size());
  ASSERT_EQ(queue.empty(), model.empty());
  if (!model.empty()) {
    ASSERT_EQ(queue.top(), *model.begin());
  }
}

TEST_F(PendingQueueTest, AgreesWithASetUnderRandomOperations) {
  size_t spills = 0, refills = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    Model model;
    const uint64_t pushes = 30 + seed % 3 * 10;  // of a hundred operations: the queue shrinks, stays or grows
    for (int i = 0; i < 4000; ++i) {
      const uint64_t dice = random() % 1000;
      if (dice < 10 * pushes) {
        const PendingEntry entry = any_entry(random);
        queue_.push(entry);
        model.insert(entry);
      } else if (dice < 800) {
        if (model.empty()) continue;
        const size_t in_memory = queue_.in_memory();
        must(queue_.pop());
        model.erase(model.begin());
        refills += queue_.in_memory() >= in_memory;
      } else if (dice < 980) {
        const size_t spilled = queue_.spilled();
        must(queue_.spill(*file_, random() % 12));
        spills += queue_.spilled() > spilled;
      } else if (dice < 988) {
        const uint64_t part = random() % 7;
        const auto wanted = [part](const PendingEntry& entry) { return entry.key() % 7 != part; };
        must(queue_.filter(wanted));
        std::erase_if(model, [&](const PendingEntry& entry) { return !wanted(entry); });
      } else if (dice < 997) {
        for (uint64_t n = random() % 30; n > 0; --n) {
          const PendingEntry entry = any_entry(random);
          queue_.append(entry);
          model.insert(entry);
          if (n % 9 == 0) must(queue_.spill(*file_, 3));
        }
        queue_.heapify();
      } else if (dice < 999) {
        ASSERT_EQ(entries_of(queue_), Entries(model.begin(), model.end()));
      } else {
        queue_.clear();
        model.clear();
        ASSERT_EQ(file_->chunks(), 0u);
      }
      ASSERT_NO_FATAL_FAILURE(expect_same(queue_, model)) << "seed " << seed << ", operation " << i;
    }
    EXPECT_EQ(popped(queue_), Entries(model.begin(), model.end()));
    EXPECT_EQ(file_->chunks(), 0u) << "what was read is let go";
  }
  EXPECT_GT(spills, 1000u);
  EXPECT_GT(refills, 1000u);
}

// Sweeping looks at a few entries at a time: all that it drops are unwanted, and in the end none of those is left.
TEST_F(PendingQueueTest, SweepingDropsWhatIsNotWantedBitByBit) {
  for (const bool spilled : {false, true}) {
    Entries kept = push(1000);
    if (spilled) must(queue_.spill(*file_, 700));
    const auto wanted = [](const PendingEntry& entry) { return entry.key() % 3 != 0; };
    uint64_t place = 0;
    for (int i = 0; i < 5000; ++i) {
      const size_t before = queue_.in_memory();
      must(queue_.sweep(place += 7919, wanted));
      ASSERT_GE(queue_.in_memory() + 8, before);
    }
    if (spilled) {
      Entries all = popped(queue_);
      EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
      std::erase_if(all, [&](const PendingEntry& entry) { return !wanted(entry); });
      std::erase_if(kept, [&](const PendingEntry& entry) { return !wanted(entry); });
      EXPECT_EQ(all, kept);
    } else {
      std::erase_if(kept, [&](const PendingEntry& entry) { return !wanted(entry); });
      EXPECT_EQ(popped(queue_), kept);
    }
  }
  must(queue_.sweep(3, [](const PendingEntry&) { return true; }));  // nothing there
}

TEST_F(PendingQueueTest, ComesOutInOrderWhateverWasSpilled) {
  for (const size_t keep : {0, 1, 3, 4, 50, 99, 100, 101}) {
    const Entries all = push(100);
    must(queue_.spill(*file_, keep));
    EXPECT_EQ(queue_.in_memory(), std::clamp<size_t>(keep, 1, 100));
    EXPECT_EQ(queue_.size(), 100u);
    EXPECT_EQ(entries_of(queue_), all);
    EXPECT_EQ(popped(queue_), all) << keep;
  }
}

TEST_F(PendingQueueTest, EntriesThatAreAllEqualAreAllThere) {
  const PendingEntry same(7, PageIdx{9});
  for (int i = 0; i < 30; ++i) {
    queue_.push(same);
    must(queue_.spill(*file_, 2));
  }
  EXPECT_EQ(popped(queue_), Entries(30, same));
}

TEST_F(PendingQueueTest, AppendedEntriesCanBeSpilledBeforeTheyAreAHeap) {
  Entries all;
  for (uint64_t i = 0; i < 200; ++i) {
    all.emplace_back(i * 71 % 199, PageIdx{i});
    queue_.append(all.back());
    if (i % 20 == 19) must(queue_.spill(*file_, 10));
  }
  queue_.heapify();
  EXPECT_EQ(queue_.in_memory(), 10u);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(popped(queue_), all);
}

TEST_F(PendingQueueTest, ReadsAChunkOnlyWhenTheTopWouldPassIt) {
  for (uint64_t i = 0; i < 20; ++i) queue_.push({i, PageIdx{i}});
  must(queue_.spill(*file_, 8));  // 8 to 11, 12 to 15 and 16 to 19 are on disk
  queue_.push({100, PageIdx{0}});
  for (int i = 0; i < 7; ++i) must(queue_.pop());
  EXPECT_EQ(disk_.reads(), 0u);
  must(queue_.pop());
  EXPECT_EQ(disk_.reads(), 1u);
  EXPECT_EQ(queue_.top(), PendingEntry(8, PageIdx{8}));
  EXPECT_EQ(queue_.in_memory(), 5u);
  for (int i = 0; i < 3; ++i) must(queue_.pop());
  EXPECT_EQ(disk_.reads(), 1u);
  queue_.push({12, PageIdx{12}});
  must(queue_.pop());
  EXPECT_EQ(queue_.top(), PendingEntry(12, PageIdx{12}));
  EXPECT_EQ(disk_.reads(), 1u) << "the one in memory is as good as the one on disk";
}

TEST_F(PendingQueueTest, EntriesBeyondTheSpilledOnesStayInMemory) {
  Entries all = push(50);
  must(queue_.spill(*file_, 5));
  for (uint64_t i = 0; i < 50; ++i) {
    all.emplace_back(1000 + i, PageIdx{i});
    queue_.push(all.back());
  }
  EXPECT_EQ(queue_.in_memory(), 55u);
  must(queue_.spill(*file_, 5));
  EXPECT_EQ(queue_.in_memory(), 5u);
  EXPECT_EQ(popped(queue_), all);
}

TEST_F(PendingQueueTest, TheFileDoesNotGrowOverThePeak) {
  uint64_t peak = 0;
  for (int round = 0; round < 10; ++round) {
    push(400);
    must(queue_.spill(*file_, 4));
    if (round == 0) peak = file_bytes();
    while (queue_.size() > 10) must(queue_.pop());
    queue_.clear();
  }
  EXPECT_EQ(peak, 99 * kChunk * 12);
  EXPECT_EQ(file_bytes(), peak);
}

TEST_F(PendingQueueTest, AFullDiskLosesNothing) {
  disk_.below().set_capacity(20 * kChunk * 12);
  Model model;
  std::mt19937_64 random(1);
  size_t refused = 0;
  for (int i = 0; i < 3000; ++i) {
    if (random() % 100 < 51 || model.empty()) {
      const PendingEntry entry = any_entry(random);
      queue_.push(entry);
      model.insert(entry);
    } else {
      must(queue_.pop());
      model.erase(model.begin());
    }
    if (i % 5 == 0) {
      const Status spilled = queue_.spill(*file_, 4);
      refused += !spilled;
      if (!spilled) {
        ASSERT_EQ(spilled.error().code(), Code::no_space);
      }
    }
    if (i % 100 == 0) {
      const auto wanted = [i](const PendingEntry& entry) { return entry.key() % 50 != static_cast<OrderKey>(i / 100); };
      (void)queue_.filter(wanted);
      (void)queue_.filter(wanted);
      disk_.below().heal();
      must(queue_.filter(wanted));
      disk_.below().set_capacity(20 * kChunk * 12);
      std::erase_if(model, [&](const PendingEntry& entry) { return !wanted(entry); });
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(queue_, model)) << i;
  }
  EXPECT_GT(refused, 10u);
  EXPECT_EQ(popped(queue_), Entries(model.begin(), model.end()));
  EXPECT_FALSE(file_->failure());
}

TEST_F(PendingQueueTest, AWriteThatFailsLeavesAllInMemory) {
  const Entries all = push(40);
  for (uint64_t n = 1; n <= 9; ++n) {
    disk_.below().fail_after(n, Code::io);
    const Status spilled = queue_.spill(*file_, 4);
    disk_.below().heal();
    ASSERT_FALSE(spilled) << n;
    EXPECT_EQ(spilled.error().code(), Code::io);
    EXPECT_EQ(queue_.in_memory(), 40u);
    EXPECT_EQ(file_->chunks(), 0u);
  }
  must(queue_.spill(*file_, 4));
  EXPECT_EQ(popped(queue_), all);
}

TEST_F(PendingQueueTest, AFlippedByteIsToldOnceAndForGood) {
  Entries all = push(40);
  must(queue_.spill(*file_, 4));
  must(disk_.below().corrupt(kPath, 13, 1));  // in the first chunk: the fifth to the eighth entry
  EXPECT_FALSE(queue_.for_each([](const PendingEntry&) {}));
  Entries rest;
  size_t errors = 0;
  while (!queue_.empty()) {
    rest.push_back(queue_.top());
    const Status status = queue_.pop();
    if (status) continue;
    ++errors;
    EXPECT_EQ(status.error().code(), Code::corrupt);
    EXPECT_EQ(rest.size(), 4u);
  }
  EXPECT_EQ(errors, 1u);
  all.erase(all.begin() + 4, all.begin() + 8);
  EXPECT_EQ(rest, all) << "what could be read is in order";
  EXPECT_TRUE(file_->failure());
}

TEST_F(PendingQueueTest, StaysInOrderWhenNothingCanBeRead) {
  const Entries all = push(40);
  must(queue_.spill(*file_, 4));
  disk_.fail_reads(Code::io);
  EXPECT_FALSE(queue_.filter([](const PendingEntry&) { return true; }));
  EXPECT_EQ(queue_.size(), 40u);
  for (int i = 0; i < 3; ++i) must(queue_.pop());
  EXPECT_EQ(queue_.top(), all[3]);
  const Status status = queue_.pop();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), Code::io);
  EXPECT_TRUE(queue_.empty());
  EXPECT_EQ(queue_.size(), 0u);
  EXPECT_EQ(file_->chunks(), 0u);
  disk_.fail_reads(std::nullopt);

  push(40);
  EXPECT_FALSE(queue_.spill(*file_, 4)) << "a file that failed is not trusted again";
  EXPECT_EQ(popped(queue_), all);
}

TEST_F(PendingQueueTest, FilterThatEmptiesTheHeapBringsTheNextEntriesIn) {
  for (uint64_t i = 0; i < 40; ++i) queue_.push({i, PageIdx{i}});
  must(queue_.spill(*file_, 10));
  must(queue_.filter([](const PendingEntry& entry) { return entry.key() >= 20; }));
  ASSERT_EQ(queue_.size(), 20u);
  EXPECT_EQ(queue_.top(), PendingEntry(20, PageIdx{20}));
  must(queue_.filter([](const PendingEntry&) { return false; }));
  EXPECT_TRUE(queue_.empty());
  EXPECT_EQ(file_->chunks(), 0u);
}

TEST_F(PendingQueueTest, AfterManySpillsFewChunksAreInMemoryAtATime) {
  constexpr size_t kSpills = 500;
  std::mt19937_64 random(3);
  for (size_t i = 0; i < kSpills; ++i) {
    for (size_t n = 0; n < kChunk; ++n) queue_.push({random() % 1'000'000, PageIdx{i}});
    must(queue_.spill(*file_, 1));
  }
  size_t most = 0;
  for (; !queue_.empty(); must(queue_.pop())) most = std::max(most, queue_.in_memory());
  EXPECT_LE(most, (14 + kSpills / 64) * kChunk) << "one of each run";
}

TEST_F(PendingQueueTest, GivesMemoryBack) {
  push(10'000);
  const size_t full = queue_.bytes();
  EXPECT_GE(full, 120'000u);
  EXPECT_LE(full, 150'100u);
  must(queue_.spill(*file_, 100));
  EXPECT_LE(queue_.bytes(), 100 * 12 + 10'000 / kChunk * sizeof(SpilledChunk) + 500);
  while (queue_.size() > 5) must(queue_.pop());
  EXPECT_LE(queue_.bytes(), 1000u);

  push(10'000);
  while (queue_.size() > 1000) must(queue_.pop());
  EXPECT_LE(queue_.bytes(), 1000 * 12 * 2 + 200) << "without a file too";
}

TEST_F(PendingQueueTest, AQueueThatIsGoneLetsGoOfItsChunks) {
  PendingQueue moved;
  {
    PendingQueue other;
    for (uint64_t i = 0; i < 40; ++i) other.push({i, PageIdx{i}});
    must(other.spill(*file_, 4));
    moved = std::move(other);
  }
  EXPECT_EQ(file_->chunks(), 9u);
  EXPECT_EQ(moved.size(), 40u);
  { const PendingQueue gone = std::move(moved); }
  EXPECT_EQ(file_->chunks(), 0u);
}

}  // namespace
}  // namespace aduana
