// The parts of the URL index that live in memory: filter, cache and memtable.

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "pages/bloom_filter.h"
#include "pages/clock_cache.h"
#include "pages/memtable.h"

namespace aduana {
namespace {

std::vector<PageKey> random_keys(size_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<PageKey> keys(n);
  for (PageKey& key : keys) key = {random(), random()};
  return keys;
}

TEST(BloomFilter, KnowsEveryKeyAndFewOthers) {
  const auto keys = random_keys(20'000, 1), others = random_keys(20'000, 2);
  BloomFilter filter(keys.size());
  for (const auto& key : keys) filter.add(key);
  for (const auto& key : keys) EXPECT_TRUE(filter.may_contain(key));
  int wrong = 0;
  for (const auto& key : others) wrong += filter.may_contain(key);
  EXPECT_LT(wrong, 600) << "3 %";
}

TEST(BloomFilter, KeysOfOneHostSpreadTooAndNeighboursAreTold) {
  std::mt19937_64 random(3);
  BloomFilter filter(10'000);
  std::vector<PageKey> keys(10'000);
  for (PageKey& key : keys) key = {0x1234567800000000 | (random() & 0xffffffff), random()};
  for (const auto& key : keys) filter.add(key);
  int wrong = 0;
  for (const auto& key : keys) {
    EXPECT_TRUE(filter.may_contain(key));
    wrong += filter.may_contain({key.hi, key.lo ^ 1});
  }
  EXPECT_LT(wrong, 5000) << "at least the bit that differs is looked at";
}

TEST(BloomFilter, EmptyKnowsNothing) {
  const BloomFilter filter(0);
  for (const auto& key : random_keys(1000, 4)) EXPECT_FALSE(filter.may_contain(key));
}

TEST(BloomFilter, ReadsBackFromItsBytes) {
  const auto keys = random_keys(1000, 5);
  BloomFilter filter(keys.size());
  for (const auto& key : keys) filter.add(key);
  const std::string bytes = filter.serialize();
  const BloomFilter again = BloomFilter::deserialize(bytes);
  for (const auto& key : keys) EXPECT_TRUE(again.may_contain(key));
  for (const auto& key : random_keys(1000, 6)) EXPECT_EQ(again.may_contain(key), filter.may_contain(key));
  EXPECT_EQ(again.serialize(), bytes);
}

TEST(ClockCache, FindsWhatWasInsertedLast) {
  ClockCache cache(1 << 20);
  const auto keys = random_keys(1000, 1);
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(cache.find(keys[i]), kNoPage);
    cache.insert(keys[i], PageIdx{i});
    EXPECT_EQ(cache.find(keys[i]), PageIdx{i});
  }
}

TEST(ClockCache, HoldsTheSmallestAndTheLargestIndex) {
  ClockCache cache(0);
  cache.insert({1, 2}, PageIdx{0});
  cache.insert({3, 4}, PageIdx{kMaxPages});
  EXPECT_EQ(cache.find({1, 2}), PageIdx{0});
  EXPECT_EQ(cache.find({3, 4}), PageIdx{kMaxPages});
}

TEST(ClockCache, NoKeyIsFoundInAnEmptyOne) {
  ClockCache cache(4096);
  EXPECT_EQ(cache.find({0, 0}), kNoPage);
  EXPECT_EQ(cache.find({~0ull, ~0ull}), kNoPage);
}

TEST(ClockCache, NeighboursAreToldApart) {
  ClockCache cache(1 << 20);
  const PageKey key{0x0123456789abcdef, 0xfedcba9876543210};
  cache.insert(key, PageIdx{7});
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(cache.find({key.hi, key.lo ^ 1ull << bit}), kNoPage) << bit;
    if (bit >= 23) continue;  // the others only choose the set
    EXPECT_EQ(cache.find({key.hi ^ 1ull << bit, key.lo}), kNoPage) << bit;
  }
}

TEST(ClockCache, NeverGivesAWrongAnswerAndKeepsWhatIsUsed) {
  ClockCache cache(4096);  // 256 entries
  const auto keys = random_keys(5000, 2);
  const auto& often = keys[0];
  cache.insert(often, PageIdx{0});
  int lost = 0;
  for (size_t i = 1; i < keys.size(); ++i) {
    cache.insert(keys[i], PageIdx{i});
    const PageIdx found = cache.find(keys[i / 2]);
    EXPECT_TRUE(found == kNoPage || found == PageIdx{i / 2});
    if (cache.find(often) == kNoPage) {
      ++lost;
      cache.insert(often, PageIdx{0});
    }
  }
  EXPECT_LT(lost, 50) << "a key that is asked for all the time gets its second chance";
}

TEST(ClockCache, GrowsWithWhatItHoldsAndLosesNearlyNothingWhenThereIsRoom) {
  ClockCache cache(64 << 20);
  const auto keys = random_keys(500'000, 3);
  for (size_t i = 0; i < keys.size(); ++i) cache.insert(keys[i], PageIdx{i});
  size_t lost = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    const PageIdx found = cache.find(keys[i]);
    if (found != PageIdx{i}) ++lost;
    ASSERT_TRUE(found == PageIdx{i} || found == kNoPage);
  }
  EXPECT_LT(lost, keys.size() / 40);
}

TEST(Memtable, AgreesWithAMap) {
  const auto keys = random_keys(2000, 1);
  Memtable table(1000, PageIdx{5});
  std::map<PageKey, uint64_t> model;
  for (uint64_t i = 0; i < 1000; ++i) {
    EXPECT_FALSE(table.full());
    table.insert(keys[i]);
    model[keys[i]] = i + 5;
  }
  EXPECT_TRUE(table.full());
  EXPECT_EQ(table.size(), 1000u);
  for (const auto& key : keys) {
    const auto found = model.find(key);
    EXPECT_EQ(table.find(key), found == model.end() ? kNoPage : PageIdx{found->second});
  }
  auto entry = model.begin();
  for (const auto& [key, idx] : table.sorted()) {
    EXPECT_EQ(key, entry->first);
    EXPECT_EQ(idx.value, entry++->second);
  }
}

TEST(Memtable, KeysThatFallInOneSlotAreToldApart) {
  Memtable table(64, PageIdx{0});
  for (uint64_t i = 0; i < 64; ++i) table.insert({i, 0xffff});
  for (uint64_t i = 0; i < 64; ++i) EXPECT_EQ(table.find({i, 0xffff}), PageIdx{i});
  EXPECT_EQ(table.find({64, 0xffff}), kNoPage);
}

}  // namespace
}  // namespace aduana
