// What a torn tail, a flipped bit and a missing file look like to whoever opens the journal.

#include <gtest/gtest.h>

#include "journal/text_journal.h"

namespace aduana {
namespace {

constexpr uint64_t kFrame = kFrameHeaderBytes + 7;  // of "event 1"

class JournalDamageTest : public testing::Test {
 protected:
  void SetUp() override { make_journal_dir(disk_); }

  // Events 1 to n, each durable before the next.
  void fill(Lsn n, uint64_t per_segment = 1000) {
    const TextJournal opened =
        must(open_texts(disk_, quiet(Durability::always, kSegmentHeaderBytes + per_segment * kFrame)));
    for (Lsn lsn = 1; lsn <= n; ++lsn) must(opened.journal->wait(must(append_text(*opened.journal, text_of(lsn)))));
  }

  // The disk with one bit changed.
  std::unique_ptr<SimulatedDisk> damaged(const std::string& path, uint64_t offset, uint8_t mask = 1) {
    auto copy = disk_.after_power_cut(CutPolicy::keep_all, 0);
    must(copy->corrupt(path, offset, mask));
    return copy;
  }

  static void expect_damage(FileSystem& fs, const std::string& path, uint64_t offset) {
    const auto opened = open_texts(fs, quiet());
    ASSERT_FALSE(opened) << "damage before offset " << offset << " was passed over";
    EXPECT_EQ(opened.error().code(), Code::corrupt);
    const std::string where = fmt::format("{}: damaged at offset {}:", path, offset);
    EXPECT_NE(opened.error().message().find(where), std::string::npos) << opened.error().message();
  }

  SimulatedDisk disk_;
};

TEST_F(JournalDamageTest, TailTornAtAnyByteIsCutOff) {
  fill(3);
  const uint64_t end_of_two = kSegmentHeaderBytes + 2 * kFrame;
  for (uint64_t size = end_of_two; size < end_of_two + kFrame; ++size) {
    SCOPED_TRACE(size);
    const auto disk = disk_.after_power_cut(CutPolicy::keep_all, 0);
    must(must(disk->open(segment_path(1), OpenMode::write))->truncate(size));
    {
      const TextJournal opened = must(open_texts(*disk, quiet()));
      EXPECT_EQ(opened.texts, texts_between(1, 2));
      EXPECT_EQ(must(must(disk->open(segment_path(1), OpenMode::read))->size()), end_of_two);
      EXPECT_EQ(must(append_text(*opened.journal, "another")), 3u);
    }
    EXPECT_EQ(must(open_texts(*disk, quiet())).texts, (std::vector<std::string>{text_of(1), text_of(2), "another"}));
  }
}

TEST_F(JournalDamageTest, TailOfZerosIsCutOff) {
  fill(2);
  const auto file = must(disk_.open(segment_path(1), OpenMode::write));
  must(file->truncate(must(file->size()) + 10'000));
  EXPECT_EQ(must(open_texts(disk_, quiet())).texts, texts_between(1, 2));
  EXPECT_EQ(must(file->size()), kSegmentHeaderBytes + 2 * kFrame);
}

TEST_F(JournalDamageTest, CutTailDoesNotComeBackAfterAPowerCut) {
  fill(2);
  {
    const auto file = must(disk_.open(segment_path(1), OpenMode::write));
    must(file->write_at(must(file->size()), "torn"));
    must(file->sync());
  }
  must(open_texts(disk_, quiet()));
  const auto after = disk_.after_power_cut(CutPolicy::lose_all, 0);
  EXPECT_EQ(must(must(after->open(segment_path(1), OpenMode::read))->size()), kSegmentHeaderBytes + 2 * kFrame);
}

TEST_F(JournalDamageTest, AnyBitOfAFrameKnownToBeDurableIsReported) {
  fill(3);
  for (uint64_t offset = kSegmentHeaderBytes; offset < kSegmentHeaderBytes + 2 * kFrame; ++offset) {
    SCOPED_TRACE(offset);
    const uint64_t frame = (offset - kSegmentHeaderBytes) / kFrame;
    for (uint8_t mask : {0x01, 0x80}) {
      expect_damage(*damaged(segment_path(1), offset, mask), segment_path(1), kSegmentHeaderBytes + frame * kFrame);
    }
  }
}

TEST_F(JournalDamageTest, DamageIsReportedAndNothingIsChanged) {
  fill(3);
  const auto disk = damaged(segment_path(1), kSegmentHeaderBytes + 5);
  const std::string before = must(read_file(*disk, segment_path(1)));
  ASSERT_FALSE(open_texts(*disk, quiet()));
  EXPECT_EQ(must(read_file(*disk, segment_path(1))), before);
  EXPECT_EQ(must(disk->list(kTextJournalDir)).size(), 1u);
}

TEST_F(JournalDamageTest, FrameThatWasNeverDurableIsATornTail) {
  {
    const TextJournal opened = must(open_texts(disk_, quiet()));
    for (Lsn lsn = 1; lsn <= 3; ++lsn) must(append_text(*opened.journal, text_of(lsn)));
  }
  must(disk_.corrupt(segment_path(1), kSegmentHeaderBytes + kFrame + 3, 1));
  EXPECT_EQ(must(open_texts(disk_, quiet())).texts, texts_between(1, 1));
}

TEST_F(JournalDamageTest, WhatAnOpenFoundIsDurableForTheFramesBehindIt) {
  {
    const TextJournal opened = must(open_texts(disk_, quiet()));
    for (Lsn lsn = 1; lsn <= 2; ++lsn) must(append_text(*opened.journal, text_of(lsn)));
  }
  must(append_text(*must(open_texts(disk_, quiet())).journal, text_of(3)));
  expect_damage(*damaged(segment_path(1), kSegmentHeaderBytes + kFrame + 3), segment_path(1),
                kSegmentHeaderBytes + kFrame);
}

TEST_F(JournalDamageTest, AnyByteOfAnEarlierSegmentIsReported) {
  fill(5, 2);
  for (uint64_t offset = 0; offset < kSegmentHeaderBytes + 2 * kFrame; ++offset) {
    SCOPED_TRACE(offset);
    const uint64_t frame_at = offset < kSegmentHeaderBytes ? 0 : offset - (offset - kSegmentHeaderBytes) % kFrame;
    expect_damage(*damaged(segment_path(1), offset), segment_path(1), frame_at);
  }
}

TEST_F(JournalDamageTest, EarlierSegmentCutShortIsReported) {
  fill(5, 2);
  must(must(disk_.open(segment_path(3), OpenMode::write))->truncate(kSegmentHeaderBytes + kFrame));
  const auto opened = open_texts(disk_, quiet());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), Code::corrupt);
  EXPECT_NE(opened.error().message().find(segment_path(3) + ": events 4 to 4 are missing"), std::string::npos)
      << opened.error().message();
}

TEST_F(JournalDamageTest, HeaderOfALastSegmentWithEventsIsReported) {
  fill(2);
  for (uint64_t offset = 0; offset < kSegmentHeaderBytes; ++offset) {
    expect_damage(*damaged(segment_path(1), offset), segment_path(1), 0);
  }
}

TEST_F(JournalDamageTest, LastSegmentWithoutAHeaderNeverHeldAnything) {
  fill(4, 2);
  must(disk_.open(segment_path(5), OpenMode::create));
  {
    const TextJournal opened = must(open_texts(disk_, quiet()));
    EXPECT_EQ(opened.texts, texts_between(1, 4));
    EXPECT_EQ(must(append_text(*opened.journal, text_of(5))), 5u);
  }
  EXPECT_EQ(must(open_texts(disk_, quiet())).texts, texts_between(1, 5));
}

TEST_F(JournalDamageTest, MissingSegmentInTheMiddleIsReported) {
  fill(7, 2);
  must(disk_.remove(segment_path(3)));
  const auto opened = open_texts(disk_, quiet());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), Code::corrupt);
  EXPECT_NE(opened.error().message().find("events 3 to 4 are missing"), std::string::npos) << opened.error().message();
}

TEST_F(JournalDamageTest, MissingFirstSegmentIsReported) {
  fill(7, 2);
  must(disk_.remove(segment_path(1)));
  const auto opened = open_texts(disk_, quiet());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), Code::corrupt);
  EXPECT_NE(opened.error().message().find("events 1 to 2 are missing"), std::string::npos) << opened.error().message();
}

TEST_F(JournalDamageTest, JournalThatEndsBeforeTheCheckpointIsReported) {
  fill(4, 2);
  const auto shorter = open_texts(disk_, quiet(), 6);
  ASSERT_FALSE(shorter);
  EXPECT_EQ(shorter.error().code(), Code::corrupt);
  must(disk_.remove(segment_path(1)));
  must(disk_.remove(segment_path(3)));
  const auto gone = open_texts(disk_, quiet(), 5);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code(), Code::corrupt);
}

TEST_F(JournalDamageTest, CheckFindsDamageInSegmentsThatOpenPassedOver) {
  fill(7, 2);
  must(disk_.corrupt(segment_path(1), 30, 1));
  must(disk_.corrupt(segment_path(3), 30, 1));
  const TextJournal opened = must(open_texts(disk_, quiet(), 7));
  const std::string problems = problems_of(*opened.journal);
  EXPECT_NE(problems.find(segment_path(1) + ": damaged at offset 24"), std::string::npos) << problems;
  EXPECT_NE(problems.find(segment_path(3) + ": damaged at offset 24"), std::string::npos) << problems;
}

TEST_F(JournalDamageTest, CheckFindsAMissingSegment) {
  fill(7, 2);
  const TextJournal opened = must(open_texts(disk_, quiet(), 7));
  must(disk_.remove(segment_path(3)));
  EXPECT_NE(problems_of(*opened.journal), "");
}

}  // namespace
}  // namespace aduana
