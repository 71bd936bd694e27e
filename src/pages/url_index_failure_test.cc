// The URL index on a disk that is full, fails, or lies.

#include <gtest/gtest.h>

#include <latch>
#include <random>
#include <set>

#include "base/must.h"
#include "base/simulated_disk.h"
#include "pages/url_index.h"

namespace aduana {
namespace {

constexpr size_t kMemtable = 64;

PageKey key_of(uint64_t i) { return {i * 0x9e3779b97f4a7c15, i * 0xc2b2ae3d27d4eb4f}; }

class UrlIndexFailureTest : public testing::Test {
 protected:
  void SetUp() override { must(disk_.create_dirs("/index")); }

  std::unique_ptr<UrlIndex> open(bool background, const UrlIndex::State& state = {}) {
    IndexOptions options;
    options.cache_bytes = 4096;
    options.memtable_entries = kMemtable;
    options.max_sealed = 2;
    options.fan_in = 3;
    options.background = background;
    return must(UrlIndex::open(disk_, "/index", options, state));
  }
  void insert(UrlIndex& index, uint64_t n) {
    for (uint64_t i = 0; i < n; ++i, ++size_) index.insert(key_of(size_), PageIdx{size_});
  }
  // Inserts until the index says no; the error it said it with.
  Error fill(UrlIndex& index) {
    for (int i = 0; i < 10'000; ++i) {
      if (Status ok = index.admit(); !ok) return ok.error();
      insert(index, 1);
    }
    return Error(Code::exists, "it never refused");
  }
  void expect_all(UrlIndex& index) {
    for (uint64_t i = 0; i < size_; ++i) {
      const PageKey key = key_of(i);
      PageIdx found;
      must(index.lookup({&key, 1}, &found));
      ASSERT_EQ(found, PageIdx{i});
    }
  }
  std::set<std::string> files() {
    const auto names = must(disk_.list("/index"));
    return {names.begin(), names.end()};
  }
  static std::set<std::string> files_of(UrlIndex& index) {
    std::set<std::string> names;
    for (const auto& run : index.state()) names.insert(UrlIndex::path_of("", run.number));
    for (const auto& path : index.take_obsolete()) names.insert(path.substr(std::string("/index/").size()));
    return names;
  }

  SimulatedDisk disk_;
  uint64_t size_ = 0;
};

TEST_F(UrlIndexFailureTest, FullDiskIsToldByAdmitAndRecoveredFrom) {
  for (const bool background : {false, true}) {
    SCOPED_TRACE(background ? "background" : "foreground");
    const auto index = open(background, {});
    size_ = 0;
    disk_.set_capacity(3000);  // less than a run takes
    EXPECT_EQ(fill(*index).code(), Code::no_space);
    EXPECT_FALSE(index->admit());
    expect_all(*index);
    EXPECT_EQ(index->flushed_end(), PageIdx{0});
    disk_.heal();
    must(index->maintain());
    must(index->admit());
    EXPECT_EQ(index->flushed_end().value % kMemtable, 0u);
    EXPECT_GT(index->flushed_end(), PageIdx{0});
    insert(*index, 1);
    expect_all(*index);
    for (const auto& name : files()) must(disk_.remove("/index/" + name));
  }
}

TEST_F(UrlIndexFailureTest, FailedFlushesAndMergesLeaveNoFilesBehind) {
  const auto index = open(false);
  insert(*index, kMemtable * 3);
  for (uint64_t n = 1; n <= 12; ++n) {
    disk_.fail_after(n, Code::io);
    const Status failed = index->maintain();
    disk_.heal();
    if (failed) break;
  }
  for (int i = 0; i < 5; ++i) {
    insert(*index, kMemtable);
    disk_.set_capacity(4096 * 3 + 1000 * static_cast<uint64_t>(i));
    (void)index->maintain();
    disk_.heal();
  }
  must(index->maintain());
  expect_all(*index);
  const auto known = files_of(*index);
  for (const auto& name : files()) EXPECT_TRUE(known.contains(name)) << name << " takes space and nobody knows of it";
}

TEST_F(UrlIndexFailureTest, DamagedBlockFailsTheLookupAndTheCheck) {
  UrlIndex::State state;
  {
    const auto index = open(false);
    insert(*index, kMemtable * 2);
    must(index->maintain());
    state = index->state();
  }
  ASSERT_EQ(state.size(), 1u);
  const std::string path = UrlIndex::path_of("/index", state[0].number);
  must(disk_.corrupt(path, 50, 1));
  const auto index = open(false, state);
  const PageKey key = key_of(0);
  PageIdx found;
  const Status looked = index->lookup({&key, 1}, &found);
  ASSERT_FALSE(looked);
  EXPECT_EQ(looked.error().code(), Code::corrupt);
  EXPECT_NE(looked.error().message().find(path + ": block 0"), std::string::npos) << looked.error().message();
  EXPECT_EQ(index->check([](const IndexEntry&) {}).error().code(), Code::corrupt);
}

TEST_F(UrlIndexFailureTest, MergeOfADamagedRunIsRefusedAndTheRunsStay) {
  UrlIndex::State state;
  {
    const auto index = open(false);
    insert(*index, kMemtable * 2 + 1);
    must(index->maintain());
    state = index->state();
  }
  ASSERT_EQ(state.size(), 2u);
  must(disk_.corrupt(UrlIndex::path_of("/index", state[1].number), 50, 1));
  const auto index = open(false, state);
  EXPECT_EQ(index->merge_all().error().code(), Code::corrupt);
  ASSERT_EQ(index->state().size(), 2u);
  EXPECT_TRUE(index->take_obsolete().empty());
}

TEST_F(UrlIndexFailureTest, StateOpensAfterAPowerCutAtEveryOperationOfFlushesAndMerges) {
  const auto index = open(false);
  UrlIndex::State durable;  // as a manifest would have it
  uint64_t flushed = 0;
  disk_.on_operation([&](uint64_t n) {
    if (HasFailure()) return;
    for (CutPolicy policy : kAllCutPolicies) {
      SCOPED_TRACE(testing::Message() << name_of(policy) << " at operation " << n);
      const auto left = disk_.after_power_cut(policy, n);
      const auto found = UrlIndex::open(*left, "/index", {.cache_bytes = 4096, .background = false}, durable);
      ASSERT_TRUE(found) << found.error().message();
      EXPECT_EQ((*found)->flushed_end().value, flushed);
      uint64_t entries = 0;
      ASSERT_TRUE((*found)->check([&](const IndexEntry& entry) {
        EXPECT_EQ(entry.key, key_of(entry.idx.value));
        ++entries;
      }));
      EXPECT_EQ(entries, flushed);
    }
  });
  must(disk_.sync_dir("/"));
  for (int round = 0; round < 8; ++round) {
    insert(*index, kMemtable + 10);
    must(index->maintain());
    const auto obsolete = index->take_obsolete();
    const auto state = index->state();
    const uint64_t end = index->flushed_end().value;
    must(disk_.sync_dir("/index"));
    durable = state;
    flushed = end;
    for (const auto& path : obsolete) must(disk_.remove(path));
  }
  disk_.on_operation({});
  expect_all(*index);
}

TEST_F(UrlIndexFailureTest, LookupsAgreeWhileFlushesAndMergesRunBesideThem) {
  const auto index = open(true);
  std::mt19937_64 random(9);
  for (int round = 0; round < 400; ++round) {
    must(index->admit());
    insert(*index, 40);
    std::vector<PageKey> keys;
    std::vector<uint64_t> wanted;
    for (int i = 0; i < 50; ++i) {
      wanted.push_back(random() % (size_ + size_ / 4));
      keys.push_back(key_of(wanted.back()));
    }
    std::vector<PageIdx> found(keys.size());
    must(index->lookup(keys, found.data()));
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(found[i], wanted[i] < size_ ? PageIdx{wanted[i]} : kNoPage);
    }
  }
}

TEST_F(UrlIndexFailureTest, FilesNamedObsoleteAreNeverOfALaterState) {
  // A checkpoint takes the obsolete files first and the state then: merges that come between are for the next one.
  const auto index = open(true);
  std::set<std::string> obsolete;
  for (int round = 0; round < 300; ++round) {
    must(index->admit());
    insert(*index, 50);
    for (const auto& path : index->take_obsolete()) obsolete.insert(path);
    for (const auto& run : index->state()) {
      ASSERT_FALSE(obsolete.contains(UrlIndex::path_of("/index", run.number))) << run.number;
    }
  }
}

TEST_F(UrlIndexFailureTest, ClosingDuringAMergeLeavesNoHalfRun) {
  IndexOptions options;
  options.memtable_entries = 20'000;
  options.fan_in = 100;
  options.cache_bytes = 4096;
  options.background = false;
  UrlIndex::State state;
  {
    const auto index = must(UrlIndex::open(disk_, "/index", options, {}));
    insert(*index, 40'001);
    must(index->maintain());
    state = index->state();
  }
  ASSERT_EQ(state.size(), 2u);
  std::latch merge_begins(1);
  disk_.on_operation([&, first = disk_.operations() + 1](uint64_t n) {
    if (n == first) merge_begins.count_down();
  });
  options.fan_in = 2;
  options.background = true;
  auto index = must(UrlIndex::open(disk_, "/index", options, state));
  merge_begins.wait();
  index.reset();
  disk_.on_operation({});
  for (const auto& name : files()) EXPECT_TRUE(aduana::Run::open(disk_, "/index/" + name, false)) << name;
  options.background = false;
  must(must(UrlIndex::open(disk_, "/index", options, state))->check([](const IndexEntry&) {}));
}

}  // namespace
}  // namespace aduana
