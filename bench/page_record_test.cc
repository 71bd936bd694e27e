#include "page_record.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace aduana::bench {
namespace {

TEST(PageRecord, ReadsBackWhatItWrote) {
  PageRecord record;
  record.score = 0.25f;
  record.depth = 300;
  record.linked_from = uint64_t{1} << 39;
  std::string bytes;
  append_record(bytes, record, "http://a/");
  EXPECT_EQ(parse_record(bytes)->linked_from, record.linked_from);
  EXPECT_EQ(parse_record(bytes)->crawls, 0u);

  record.crawls = 2;
  record.changes = 1;
  record.first_crawl_ms = 1'420'070'400'000;
  record.last_crawl_ms = 1'420'070'400'017;
  record.content_hash = 0xfeedfacecafebeefu;
  bytes.clear();
  append_record(bytes, record, "http://a/");
  const auto parsed = parse_record(bytes);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->score, record.score);
  EXPECT_EQ(parsed->depth, record.depth);
  EXPECT_EQ(parsed->changes, record.changes);
  EXPECT_EQ(parsed->last_crawl_ms, record.last_crawl_ms);
  EXPECT_EQ(parsed->content_hash, record.content_hash);
}

TEST(PageRecord, OneThatEndsEarlyIsCorrupt) {
  std::string bytes;
  append_record(bytes, {.crawls = 1}, "");
  bytes.pop_back();
  const auto parsed = parse_record(bytes);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), Code::corrupt);
}

TEST(PageRecord, LinksAreSortedDistinctAndRelative) {
  std::vector<uint64_t> targets{90, 100, 5, 90};
  std::string bytes;
  append_links(bytes, 50, targets);
  ByteReader in(bytes);
  EXPECT_EQ(in.varint(), 3u);
  EXPECT_EQ(in.zigzag(), 5 - 50);
  EXPECT_EQ(in.zigzag(), 85);
  EXPECT_EQ(in.zigzag(), 10);
  EXPECT_TRUE(in.ok() && in.at_end());
}

}  // namespace
}  // namespace aduana::bench
