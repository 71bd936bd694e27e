#include "journal/segment.h"

#include <gtest/gtest.h>

#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

constexpr const char* kPath = "/segment";

std::string frame_of(std::string_view payload, Lsn first_lsn, uint32_t events, uint64_t durable) {
  std::string buffer(kFrameHeaderBytes, '\0');
  buffer += payload;
  finish_frame(buffer, first_lsn, events, durable);
  return buffer;
}

class SegmentTest : public testing::Test {
 protected:
  Result<SegmentScan> scan(const std::string& bytes, Lsn first_lsn = 7, bool is_whole = false) {
    must(must(disk_.open(kPath, OpenMode::create_empty))->write_at(0, bytes));
    seen_.clear();
    return scan_segment(disk_, kPath, first_lsn, is_whole, [&](const Frame& frame) -> Status {
      seen_.emplace_back(frame.payload);
      return {};
    });
  }

  SimulatedDisk disk_;
  std::vector<std::string> seen_;
  const std::string header_ = segment_header(7);
  const std::string first_ = frame_of("first", 7, 2, 24);
  const std::string second_ = frame_of("second", 9, 1, 24);
};

TEST_F(SegmentTest, NamesSortAsTheirLsnsAndReadBack) {
  for (Lsn lsn : {Lsn{1}, Lsn{0xfedcba9876543210}, ~Lsn{0}}) EXPECT_EQ(segment_first_lsn(segment_name(lsn)), lsn);
  EXPECT_EQ(segment_name(255), "00000000000000ff.journal");
  EXPECT_LT(segment_name(0xfff), segment_name(0x1000));
}

TEST_F(SegmentTest, OtherNamesAreNoSegments) {
  for (const char* name : {"", ".journal", "00000000000000ff", "00000000000000FF.journal", "0000000000000xff.journal",
                           "00000000000000ff.journal.tmp", "000000000000000ff.journal", "0000000000000000.journal"}) {
    EXPECT_EQ(segment_first_lsn(name), 0u) << name;
  }
}

TEST_F(SegmentTest, ScanCountsEventsNotFrames) {
  const auto scanned = scan(header_ + first_ + second_);
  ASSERT_TRUE(scanned);
  EXPECT_EQ(scanned->next_lsn, 10u);
  EXPECT_EQ(scanned->good_bytes, header_.size() + first_.size() + second_.size());
  EXPECT_FALSE(scanned->torn);
  EXPECT_EQ(seen_, (std::vector<std::string>{"first", "second"}));
}

TEST_F(SegmentTest, HeaderAloneIsAnEmptySegment) {
  const auto scanned = scan(header_);
  ASSERT_TRUE(scanned);
  EXPECT_EQ(scanned->next_lsn, 7u);
  EXPECT_EQ(scanned->good_bytes, kSegmentHeaderBytes);
  EXPECT_FALSE(scanned->torn);
}

TEST_F(SegmentTest, HeaderCutAnywhereIsTornInTheLastAndDamageInAnother) {
  for (size_t n = 0; n < header_.size(); ++n) {
    const auto last = scan(header_.substr(0, n));
    ASSERT_TRUE(last) << n;
    EXPECT_TRUE(last->torn);
    EXPECT_EQ(last->good_bytes, 0u);
    EXPECT_EQ(last->next_lsn, 7u);
    const auto earlier = scan(header_.substr(0, n), 7, true);
    ASSERT_FALSE(earlier) << n;
    EXPECT_EQ(earlier.error().code(), Code::corrupt);
  }
}

TEST_F(SegmentTest, HeaderOfAnotherSegmentIsDamageWhenFramesFollow) {
  const auto scanned = scan(segment_header(8) + first_);
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().code(), Code::corrupt);
}

TEST_F(SegmentTest, FrameOutOfStepEndsTheLastSegment) {
  // A frame of an earlier life of the file, whole but not the next one.
  const auto scanned = scan(header_ + first_ + frame_of("stale", 12, 1, 24));
  ASSERT_TRUE(scanned);
  EXPECT_TRUE(scanned->torn);
  EXPECT_EQ(scanned->good_bytes, header_.size() + first_.size());
  EXPECT_EQ(seen_, (std::vector<std::string>{"first"}));
}

TEST_F(SegmentTest, AnythingThatIsNoFrameIsDamageInAFinishedSegment) {
  const auto scanned = scan(header_ + first_ + "x", 7, true);
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().code(), Code::corrupt);
  EXPECT_NE(scanned.error().message().find("/segment: damaged at offset 61"), std::string::npos)
      << scanned.error().message();
}

TEST_F(SegmentTest, ErrorOfTheVisitorStopsTheScan) {
  must(must(disk_.open(kPath, OpenMode::create_empty))->write_at(0, header_ + first_ + second_));
  int visits = 0;
  const auto scanned = scan_segment(disk_, kPath, 7, true, [&](const Frame&) -> Status {
    ++visits;
    return Error(Code::closed, "enough");
  });
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().code(), Code::closed);
  EXPECT_EQ(visits, 1);
}

TEST_F(SegmentTest, MissingFileIsReported) {
  const auto scanned = scan_segment(disk_, "/nowhere", 1, true, [](const Frame&) { return Status{}; });
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().code(), Code::not_found);
}

}  // namespace
}  // namespace aduana
