#include "links/link_store.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

using namespace std::string_view_literals;

std::string list_of(PageIdx page, std::vector<PageIdx> other_hosts, std::vector<PageIdx> same_host = {}) {
  std::string bytes;
  append_link_list(bytes, page, other_hosts, same_host);
  return bytes;
}

class LinkStoreTest : public testing::Test {
 protected:
  void SetUp() override { must(disk_.create_dirs("/store")); }

  std::unique_ptr<LinkStore> open(const LinksState& state = {}) {
    return must(LinkStore::open(disk_, "/store", state));
  }

  static void flush(LinkStore& store) {
    const auto flush = store.log().begin_flush();
    must(store.log().write_out(flush));
    must(store.log().end_flush(flush));
  }

  // Keeps the newest address of each page, as the page table does.
  void put(LinkStore& store, PageIdx page, std::vector<PageIdx> targets) {
    auto& address = addresses_[page];
    address = must(store.replace(page, address, list_of(page, targets)));
    wanted_[page] = std::move(targets);
  }

  Status reclaim(LinkStore& store, double share) {
    moved_.clear();
    for (const uint64_t segment : store.log().segments_with_dead(share)) {
      ADUANA_TRY(store.reclaim(
          segment, [&](PageIdx page) -> Result<ExtentAddress> { return addresses_.at(page); },
          [&](PageIdx page, ExtentAddress address) -> Status {
            moved_.insert(page);
            addresses_[page] = address;
            return {};
          }));
    }
    return {};
  }

  void expect_all(const LinkStore& store) {
    uint64_t links = 0;
    for (const auto& [page, targets] : wanted_) {
      EXPECT_EQ(must(store.read(addresses_[page])).targets, targets) << page.value;
      links += targets.size();
    }
    EXPECT_EQ(store.links(), links);
  }

  SimulatedDisk disk_;
  std::map<PageIdx, ExtentAddress> addresses_;
  std::map<PageIdx, std::vector<PageIdx>> wanted_;
  std::set<PageIdx> moved_;
};

TEST_F(LinkStoreTest, GivesBackListsAndCountsTheirLinks) {
  const auto store = open();
  EXPECT_EQ(store->links(), 0u);
  put(*store, {0}, {{5}, {7}});
  put(*store, {1ull << 39}, {{1}, {2}, {kMaxPages - 1}});
  expect_all(*store);
  EXPECT_EQ(store->links(), 5u);
}

TEST_F(LinkStoreTest, KeepsTheGroupsApart) {
  const auto store = open();
  const auto address = must(store->replace({9}, 0, list_of({9}, {{1}, {2}}, {{8}})));
  const LinkList links = must(store->read(address));
  EXPECT_EQ(links.other_hosts, 2u);
  EXPECT_EQ(links.targets, (std::vector<PageIdx>{{1}, {2}, {8}}));
}

TEST_F(LinkStoreTest, NoAddressIsNoLinks) {
  const auto store = open();
  EXPECT_EQ(must(store->replace({1}, 0, "")), 0u);
  EXPECT_TRUE(must(store->read(0)).targets.empty());
  EXPECT_EQ(store->log().bytes(), 0u);
}

TEST_F(LinkStoreTest, NewestListWinsAndTheOldOneIsDead) {
  const auto store = open();
  put(*store, {3}, {{1}, {2}, {4}});
  put(*store, {4}, {{1}});
  const uint64_t bytes = store->log().bytes();
  put(*store, {3}, {{9}});
  expect_all(*store);
  EXPECT_GT(store->log().bytes(), bytes);
  EXPECT_GT(store->state().log[0].dead, 0u);
  const auto address = addresses_[{3}];
  EXPECT_EQ(must(store->replace({3}, address, "")), 0u);
  EXPECT_EQ(store->links(), 1u);
}

TEST_F(LinkStoreTest, ReplacingADamagedListChangesNothing) {
  const auto store = open();
  put(*store, {3}, {{1}, {2}});
  const auto bad = store->replace({3}, 12345, list_of({3}, {{1}}));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), Code::corrupt);
  expect_all(*store);
}

TEST_F(LinkStoreTest, EntryThatIsNoListIsCorrupt) {
  const auto store = open();
  for (const std::string_view bytes : {"\x80"sv, "\x05\x02\x00"sv, "\x05\x01\x80"sv}) {
    const auto read = store->read(store->log().append(bytes));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), Code::corrupt);
  }
}

TEST_F(LinkStoreTest, ReopensAtItsState) {
  auto store = open();
  for (uint64_t i = 0; i < 100; ++i) put(*store, {i}, {{i + 1}, {i + 2}});
  flush(*store);
  const LinksState state = store->state();
  must(store->replace({5}, addresses_[{5}], list_of({5}, {{77}})));  // lost
  store = open(state);
  expect_all(*store);
}

TEST_F(LinkStoreTest, ReclaimMovesLiveListsOnly) {
  const auto store = open();
  for (uint64_t i = 0; i < 100; ++i) put(*store, {i}, {{i + 1}, {i + 2}});
  for (uint64_t i = 0; i < 100; i += 2) put(*store, {i}, {{i + 3}});  // within the same segment
  store->log().begin_segment();
  for (uint64_t i = 0; i < 100; i += 4) put(*store, {i}, {{i + 5}});  // in the one that grows
  must(reclaim(*store, 0.4));
  std::set<PageIdx> live;
  for (uint64_t i = 0; i < 100; ++i) {
    if (i % 4) live.insert({i});
  }
  EXPECT_EQ(moved_, live);
  expect_all(*store);
  ASSERT_EQ(store->state().log.size(), 1u);
  EXPECT_EQ(store->state().log[0].number, 1u);
  EXPECT_EQ(store->take_obsolete(), std::vector<std::string>{store->log().path_of(0)});
  EXPECT_TRUE(store->take_obsolete().empty());
}

TEST_F(LinkStoreTest, ReclaimLeavesSegmentsThatAreMostlyAlive) {
  const auto store = open();
  for (uint64_t i = 0; i < 10; ++i) put(*store, {i}, {{i + 1}});
  put(*store, {0}, {{9}});
  store->log().begin_segment();
  put(*store, {10}, {{1}});
  must(reclaim(*store, 0.5));
  EXPECT_TRUE(moved_.empty());
  EXPECT_TRUE(store->take_obsolete().empty());
  EXPECT_EQ(store->state().log.size(), 2u);
}

TEST_F(LinkStoreTest, ReclaimThatFailedHalfwayIsMadeAgain) {
  const auto store = open();
  for (uint64_t i = 0; i < 20; ++i) put(*store, {i}, {{i + 1}});
  store->log().begin_segment();
  put(*store, {20}, {{1}});
  int left = 7;
  const Status failed = store->reclaim(
      0, [&](PageIdx page) -> Result<ExtentAddress> { return addresses_.at(page); },
      [&](PageIdx page, ExtentAddress address) -> Status {
        if (left-- == 0) return Error(Code::io, "no");
        addresses_[page] = address;
        return {};
      });
  ASSERT_FALSE(failed);
  expect_all(*store);
  EXPECT_TRUE(store->take_obsolete().empty());
  must(reclaim(*store, 0));
  EXPECT_EQ(moved_.size(), 13u);
  expect_all(*store);
}

TEST_F(LinkStoreTest, DamageStopsTheReclaimAndKeepsTheSegment) {
  auto store = open();
  for (uint64_t i = 0; i < 20; ++i) put(*store, {i}, {{i + 1}});
  store->log().begin_segment();
  put(*store, {20}, {{1}});
  flush(*store);
  must(disk_.corrupt(store->log().path_of(0), addresses_[{10}] + 5, 1));
  store = open(store->state());
  const Status failed = reclaim(*store, 0);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), Code::corrupt);
  EXPECT_EQ(store->state().log.size(), 2u);
  EXPECT_TRUE(store->take_obsolete().empty());
}

TEST_F(LinkStoreTest, RandomReplacementsReclaimsAndReopensAgreeWithAMap) {
  std::mt19937_64 random(5);
  auto store = open();
  for (int step = 0; step < 5000; ++step) {
    const PageIdx page{random() % 300};
    std::set<PageIdx> targets;
    for (uint64_t n = random() % 20; n > 0; --n) targets.insert({random() % kMaxPages});
    put(*store, page, {targets.begin(), targets.end()});
    if (step % 300 == 0) store->log().begin_segment();
    if (step % 700 == 0) must(reclaim(*store, 0.5));
    if (step % 1100 == 0) {
      flush(*store);
      store = open(store->state());
      expect_all(*store);
    }
  }
  expect_all(*store);
}

}  // namespace
}  // namespace aduana
