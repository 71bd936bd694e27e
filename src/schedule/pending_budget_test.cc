#include "schedule/pending_budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

constexpr const char* kPath = "/spill";
constexpr size_t kFloor = 64;
constexpr size_t kEntryBytes = sizeof(PendingEntry);

class PendingBudgetTest : public testing::Test {
 protected:
  void make(size_t queues, const PendingBudgetOptions& options) {
    queues_.clear();
    const size_t chunk_entries = options.floor / 2;
    budget_ = std::make_unique<PendingBudget>(
        options, [this, chunk_entries] { return SpillFile::open(disk_, kPath, chunk_entries); });
    queues_.resize(queues);
  }
  Status push(size_t queue, const PendingEntry& entry) {
    const size_t before = queues_[queue].bytes();
    queues_[queue].push(entry);
    return budget_->settle(queues_[queue], before);
  }
  Status pop(size_t queue) {
    const size_t before = queues_[queue].bytes();
    must(queues_[queue].pop());
    return budget_->settle(queues_[queue], before);
  }
  size_t bytes_of_all() const {
    size_t sum = 0;
    for (const PendingQueue& queue : queues_) sum += queue.bytes();
    return sum;
  }
  PendingEntry any_entry() { return {random_() % 1'000'000, PageIdx{random_() % 1'000'000}}; }

  SimulatedDisk disk_;
  std::unique_ptr<PendingBudget> budget_;
  std::vector<PendingQueue> queues_;
  std::mt19937_64 random_{1};
};

TEST_F(PendingBudgetTest, WithinTheBudgetNothingIsSpilled) {
  make(10, {.bytes = 2'000'000, .floor = kFloor});
  for (int i = 0; i < 100'000; ++i) must(push(static_cast<size_t>(i % 10), any_entry()));
  EXPECT_EQ(budget_->chunks(), 0u);
  EXPECT_EQ(budget_->bytes(), bytes_of_all());
}

TEST_F(PendingBudgetTest, QueuesBelowTheFloorAreLeftAlone) {
  make(1000, {.bytes = 0, .floor = kFloor});
  for (size_t i = 0; i < 1000 * (kFloor - 1); ++i) must(push(i % 1000, any_entry()));
  EXPECT_EQ(budget_->chunks(), 0u);
  must(push(5, any_entry()));
  EXPECT_EQ(queues_[5].in_memory(), kFloor / 2);
  EXPECT_EQ(queues_[5].spilled(), kFloor / 2);
  EXPECT_EQ(budget_->chunks(), 1u);
}

// Ten thousand queues, the i-th largest with 1/i of the pages of the largest, through a crawl that first finds more
// than it fetches and then less.
TEST_F(PendingBudgetTest, UnevenQueuesStayNearTheBudgetOrTheFloors) {
  constexpr size_t kQueues = 10'000;
  constexpr size_t kFloors = kQueues * kFloor * kEntryBytes;
  for (const size_t bytes : {kFloors / 10, kFloors * 5 / 4}) {
    SCOPED_TRACE(bytes);
    make(kQueues, {.bytes = bytes, .floor = kFloor});
    const auto any_queue = [&] {
      const double u = static_cast<double>(random_() >> 11) * 0x1p-53;
      return std::min(kQueues - 1, static_cast<size_t>(std::pow(double{kQueues}, u)) - 1);
    };
    size_t most = 0, pending = 0, most_pending = 0;
    for (int i = 0; i < 3'000'000; ++i) {
      const size_t queue = any_queue();
      if (random_() % 100 < (i < 2'000'000 ? 85 : 20)) {
        must(push(queue, any_entry()));
        ++pending;
      } else if (!queues_[queue].empty()) {
        must(pop(queue));
        --pending;
      }
      most = std::max(most, budget_->bytes());
      most_pending = std::max(most_pending, pending);
    }
    EXPECT_EQ(budget_->bytes(), bytes_of_all());
    EXPECT_GT(most_pending * kEntryBytes, std::max(bytes, kFloors) * 3 / 2) << "or the test says nothing";
    EXPECT_LE(most, std::max(bytes, kFloors) * 11 / 10);
  }
}

// The worst that can happen: what is large does not change any more.
TEST_F(PendingBudgetTest, NeverMoreThanTheBudgetAndTheFloors) {
  constexpr size_t kQueues = 100, kLargeFloor = 1024;
  constexpr size_t kFloors = kQueues * kLargeFloor * kEntryBytes;
  make(kQueues, {.bytes = kFloors, .floor = kLargeFloor});
  while (budget_->bytes() < kFloors * 9 / 10) must(push(0, any_entry()));
  for (size_t i = 0; i < 10 * kQueues * kLargeFloor; ++i) must(push(1 + i % (kQueues - 1), any_entry()));
  EXPECT_EQ(queues_[0].spilled(), 0u);
  EXPECT_GT(budget_->chunks(), 10 * kQueues);
  EXPECT_LE(budget_->bytes(), kFloors + kFloors * 5 / 4);  // a heap has a quarter of spare room
}

TEST_F(PendingBudgetTest, NoQueueGrowsOverTheCeiling) {
  constexpr size_t kCeiling = 30'000;
  make(2, {.bytes = 1'000'000'000, .floor = kFloor, .ceiling = kCeiling});
  size_t most = 0;
  for (int i = 0; i < 100'000; ++i) {
    must(push(0, any_entry()));
    must(push(1, any_entry()));
    if (i % 3 == 0) must(pop(1));
    most = std::max({most, queues_[0].in_memory(), queues_[1].in_memory()});
  }
  EXPECT_EQ(most, kCeiling - 1);
  EXPECT_EQ(queues_[0].size(), 100'000u);
}

TEST_F(PendingBudgetTest, AFullDiskIsTriedAgainOnlyAfterAWhile) {
  constexpr size_t kBudget = 80'000;
  make(1, {.bytes = kBudget, .floor = kFloor});
  disk_.set_capacity(0);
  size_t errors = 0;
  std::vector<PendingEntry> all;
  for (int i = 0; i < 20'000; ++i) {
    all.push_back(any_entry());
    const Status settled = push(0, all.back());
    if (settled) continue;
    ++errors;
    EXPECT_EQ(settled.error().code(), Code::no_space);
  }
  EXPECT_GT(errors, 1u);
  EXPECT_LE(errors, 20'000 * kEntryBytes * 5 / 4 / (kBudget / 8));
  EXPECT_EQ(queues_[0].in_memory(), 20'000u);

  disk_.heal();
  for (int i = 0; i < 5000; ++i) {
    all.push_back(any_entry());
    must(push(0, all.back()));
  }
  EXPECT_LE(queues_[0].bytes(), kBudget);
  std::sort(all.begin(), all.end());
  for (const PendingEntry& entry : all) {
    ASSERT_EQ(queues_[0].top(), entry);
    must(pop(0));
  }
  EXPECT_TRUE(queues_[0].empty());
}

TEST_F(PendingBudgetTest, ChunksThatAreReadCountToo) {
  make(1, {.bytes = 0, .floor = kFloor});
  for (size_t i = 0; i < 100 * kFloor; ++i) {
    must(push(0, any_entry()));
    ASSERT_LT(queues_[0].in_memory(), kFloor);
  }
  while (!queues_[0].empty()) {
    must(pop(0));
    ASSERT_LT(queues_[0].in_memory(), kFloor);
    ASSERT_EQ(budget_->bytes(), bytes_of_all());
  }
}

}  // namespace
}  // namespace aduana
