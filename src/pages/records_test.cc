#include "pages/records.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/time_bytes.h"

namespace aduana {
namespace {

constexpr uint64_t k40 = (1ull << 40) - 1, k48 = (1ull << 48) - 1;

PageRecord round_trip(const PageRecord& record) {
  std::string bytes(PageRecord::kBytes, '\xaa');
  record.encode(bytes.data());
  return PageRecord::decode(bytes.data());
}

DetailRecord round_trip(const DetailRecord& record) {
  std::string bytes(DetailRecord::kBytes, '\xaa');
  record.encode(bytes.data());
  return DetailRecord::decode(bytes.data());
}

TEST(PageRecord, KeepsItsFieldsAtTheExtremes) {
  for (const bool high : {false, true}) {
    PageRecord record;
    record.queue.value = high ? ~0u : 0;
    record.score = high ? std::numeric_limits<float>::max() : -0.0f;
    record.detail = high ? (1ull << 36) - 1 : 0;
    record.depth = high ? PageRecord::kMaxDepth : 0;
    record.domain_depth = high ? 255 : 0;
    record.priority = high ? kMaxPriority : 0;
    record.state = high ? PageState::gone : PageState::known;
    const PageRecord got = round_trip(record);
    EXPECT_EQ(got.queue, record.queue);
    EXPECT_EQ(got.score, record.score);
    EXPECT_EQ(std::signbit(got.score), std::signbit(record.score));
    EXPECT_EQ(got.detail, record.detail);
    EXPECT_EQ(got.depth, record.depth);
    EXPECT_EQ(got.domain_depth, record.domain_depth);
    EXPECT_EQ(got.priority, record.priority);
    EXPECT_EQ(got.state, record.state);
  }
}

TEST(PageRecord, FieldsDoNotTouchEachOther) {
  PageRecord record;
  record.detail = 0x102030405;
  record.queue.value = 0xa0b0c0d0;
  record.depth = 0x122;
  record.domain_depth = 0x33;
  record.priority = 0x15;
  record.state = PageState::scheduled;
  std::string bytes(PageRecord::kBytes, '\xaa');
  record.encode(bytes.data());
  EXPECT_EQ(bytes, std::string("\xa0\xb0\xc0\xd0\x00\x00\x00\x00\x10\x20\x30\x40\x51\x22\x33\xab", 16));
}

TEST(PageRecord, EveryStateHasAName) {
  EXPECT_STREQ(name_of(PageState::known), "known");
  EXPECT_STREQ(name_of(PageState::gone), "gone");
  EXPECT_STREQ(name_of(static_cast<PageState>(kPageStates)), "unknown");
  for (size_t i = 0; i < kPageStates; ++i) {
    PageRecord record;
    record.state = static_cast<PageState>(i);
    EXPECT_EQ(round_trip(record).state, record.state);
  }
}

TEST(DetailRecord, KeepsItsFieldsAtTheExtremes) {
  for (const bool high : {false, true}) {
    DetailRecord record;
    record.page.value = high ? k40 : 0;
    record.n_crawls = high ? ~0u : 0;
    record.n_changes = high ? ~0u - 1 : 0;
    record.first_crawl = high ? kLastInstant : Instant{};
    record.last_crawl = high ? kLastInstant - Millis{1} : Instant{};
    record.due = high ? kLastInstant - Millis{2} : Instant{};
    record.failures = high ? 255 : 0;
    record.links = high ? k48 : 0;
    record.metadata = high ? k48 - 1 : 0;
    record.hash_length = high ? 16 : 0;
    record.hash.fill(high ? '\xff' : '\0');
    const DetailRecord got = round_trip(record);
    EXPECT_EQ(got.page, record.page);
    EXPECT_EQ(got.n_crawls, record.n_crawls);
    EXPECT_EQ(got.n_changes, record.n_changes);
    EXPECT_EQ(got.first_crawl, record.first_crawl);
    EXPECT_EQ(got.last_crawl, record.last_crawl);
    EXPECT_EQ(got.due, record.due);
    EXPECT_EQ(got.failures, record.failures);
    EXPECT_EQ(got.links, record.links);
    EXPECT_EQ(got.metadata, record.metadata);
    EXPECT_EQ(got.hash_length, record.hash_length);
    EXPECT_EQ(got.hash, record.hash);
    EXPECT_EQ(got.hash_address, 0u);
  }
}

TEST(DetailRecord, TimesThatCantBeStoredBecomeTheNearestThatCan) {
  DetailRecord record;
  record.first_crawl = Instant::min();
  record.last_crawl = Instant::max();
  const DetailRecord got = round_trip(record);
  EXPECT_EQ(got.first_crawl, Instant{});
  EXPECT_EQ(got.last_crawl, kLastInstant);
}

TEST(DetailRecord, LongHashIsAnAddress) {
  DetailRecord record;
  record.hash_length = DetailRecord::kHashElsewhere;
  record.hash_address = k48;
  const DetailRecord got = round_trip(record);
  EXPECT_EQ(got.hash_length, DetailRecord::kHashElsewhere);
  EXPECT_EQ(got.hash_address, k48);
}

TEST(DetailRecord, EncodingLeavesNothingOfWhatWasThere) {
  std::string one(DetailRecord::kBytes, '\xaa'), two(DetailRecord::kBytes, '\x55');
  DetailRecord record;
  record.hash_length = DetailRecord::kHashElsewhere;
  record.hash_address = 7;
  record.encode(one.data());
  record.encode(two.data());
  EXPECT_EQ(one, two);
}

}  // namespace
}  // namespace aduana
