#include "journal/journal.h"

#include <gtest/gtest.h>

#include "journal/text_journal.h"

namespace aduana {
namespace {

constexpr uint64_t kFrame = kFrameHeaderBytes + 7;  // of "event 1"

class JournalTest : public testing::Test {
 protected:
  void SetUp() override { make_journal_dir(disk_); }

  std::unique_ptr<Journal> open(const JournalOptions& options = quiet()) {
    TextJournal opened = must(open_texts(disk_, options));
    texts_ = std::move(opened.texts);
    return std::move(opened.journal);
  }

  // Events 1 to n, with a segment to each `per_segment` of them.
  std::unique_ptr<Journal> journal_of(Lsn n, uint64_t per_segment = 1000) {
    auto journal = open(quiet(Durability::none, kSegmentHeaderBytes + per_segment * kFrame));
    for (Lsn lsn = 1; lsn <= n; ++lsn) EXPECT_EQ(must(append_text(*journal, text_of(lsn))), lsn);
    return journal;
  }

  std::vector<std::string> files() { return must(disk_.list(kTextJournalDir)); }

  SimulatedDisk disk_;
  std::vector<std::string> texts_;
};

TEST_F(JournalTest, NewOneIsEmpty) {
  const auto journal = open();
  EXPECT_EQ(journal->last_lsn(), 0u);
  EXPECT_EQ(journal->first_lsn(), 1u);
  EXPECT_TRUE(journal->health());
  EXPECT_TRUE(texts_.empty());
  EXPECT_EQ(files(), std::vector<std::string>{segment_name(1)});
}

TEST_F(JournalTest, GivesBackWhatWasAppended) {
  {
    const auto journal = open();
    EXPECT_EQ(must(append_text(*journal, "one")), 1u);
    EXPECT_EQ(must(append_text(*journal, "two to four", 3)), 4u);
    EXPECT_EQ(must(append_text(*journal, std::string("five\0\xff", 6))), 5u);
    EXPECT_EQ(must(append_text(*journal, "")), 6u);
    EXPECT_EQ(journal->last_lsn(), 6u);
  }
  const TextJournal again = must(open_texts(disk_, quiet()));
  EXPECT_EQ(again.texts, (std::vector<std::string>{"one", "two to four", std::string("five\0\xff", 6), ""}));
  EXPECT_EQ(again.lsns, (std::vector<Lsn>{1, 2, 5, 6}));
  EXPECT_EQ(again.journal->last_lsn(), 6u);
  EXPECT_EQ(must(append_text(*again.journal, "seven")), 7u);
}

TEST_F(JournalTest, RollsToANewSegmentAndReadsAcross) {
  const auto journal = journal_of(7, 2);
  EXPECT_EQ(files(), (std::vector<std::string>{segment_name(1), segment_name(3), segment_name(5), segment_name(7)}));
  EXPECT_EQ(journal->bytes(), 4 * kSegmentHeaderBytes + 7 * kFrame);
  EXPECT_EQ(problems_of(*journal), "");
  EXPECT_EQ(must(open_texts(disk_, quiet())).texts, texts_between(1, 7));
}

TEST_F(JournalTest, FrameLargerThanASegmentIsKeptWhole) {
  const std::string large(10'000, 'x');
  {
    const auto journal = journal_of(1, 1);
    EXPECT_EQ(must(append_text(*journal, large)), 2u);
    EXPECT_EQ(must(append_text(*journal, "after")), 3u);
  }
  EXPECT_EQ(must(open_texts(disk_, quiet())).texts, (std::vector<std::string>{text_of(1), large, "after"}));
}

TEST_F(JournalTest, ReplayBeginsAtTheLsnAskedFor) {
  journal_of(7, 2);
  for (Lsn from = 1; from <= 8; ++from) {
    const TextJournal opened = must(open_texts(disk_, quiet(), from));
    EXPECT_EQ(opened.texts, texts_between(from, 7)) << from;
    EXPECT_EQ(opened.journal->last_lsn(), 7u);
    EXPECT_EQ(opened.journal->bytes(), 4 * kSegmentHeaderBytes + 7 * kFrame) << from;
  }
}

TEST_F(JournalTest, FrameThatHoldsOlderEventsTooIsHandedOutWhole) {
  {
    const auto journal = open();
    must(append_text(*journal, "one to three", 3));
    must(append_text(*journal, "four"));
  }
  EXPECT_EQ(must(open_texts(disk_, quiet(), 3)).texts, (std::vector<std::string>{"one to three", "four"}));
  EXPECT_EQ(must(open_texts(disk_, quiet(), 4)).texts, (std::vector<std::string>{"four"}));
}

TEST_F(JournalTest, SegmentsBehindTheCheckpointAreNotRead) {
  journal_of(7, 2);
  must(disk_.corrupt(segment_path(1), 30, 1));
  EXPECT_FALSE(open_texts(disk_, quiet(), 2));
  EXPECT_EQ(must(open_texts(disk_, quiet(), 3)).texts, texts_between(3, 7));
}

TEST_F(JournalTest, ErrorOfTheReplayIsTheErrorOfOpen) {
  journal_of(2);
  const auto opened = Journal::open(disk_, kTextJournalDir, quiet(), 1,
                                    [](const Frame&) -> Status { return Error(Code::unsupported, "too new"); });
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message(), "too new");
}

TEST_F(JournalTest, TruncationKeepsEverySegmentWithALaterEvent) {
  const auto journal = journal_of(7, 2);
  must(journal->truncate(1, 0));
  EXPECT_EQ(journal->first_lsn(), 1u);
  must(journal->truncate(2, 0));
  EXPECT_EQ(journal->first_lsn(), 3u);
  must(journal->truncate(5, 0));
  EXPECT_EQ(journal->first_lsn(), 5u);
  EXPECT_EQ(files(), (std::vector<std::string>{segment_name(5), segment_name(7)}));
  EXPECT_EQ(journal->bytes(), 2 * kSegmentHeaderBytes + 3 * kFrame);
  EXPECT_EQ(must(open_texts(disk_, quiet(), 6)).texts, texts_between(6, 7));
}

TEST_F(JournalTest, TruncationNeverTakesTheLastSegment) {
  const auto journal = journal_of(6, 2);
  must(journal->truncate(6, 0));
  EXPECT_EQ(files(), std::vector<std::string>{segment_name(5)});
  EXPECT_EQ(must(append_text(*journal, text_of(7))), 7u);
  EXPECT_EQ(must(open_texts(disk_, quiet(), 7)).texts, texts_between(7, 7));
}

TEST_F(JournalTest, TruncationKeepsTheNewestBytesAskedFor) {
  constexpr uint64_t kSegment = kSegmentHeaderBytes + 2 * kFrame;
  const auto journal = journal_of(9, 2);  // four full segments, and one that holds event 9
  must(journal->truncate(8, UINT64_MAX));
  EXPECT_EQ(journal->first_lsn(), 1u);
  must(journal->truncate(8, 2 * kSegment));
  EXPECT_EQ(journal->first_lsn(), 5u);
  must(journal->truncate(8, 0));
  EXPECT_EQ(journal->first_lsn(), 9u);
}

TEST_F(JournalTest, TruncationKeepsNoLessThanTheBytesAskedFor) {
  constexpr uint64_t kSegment = kSegmentHeaderBytes + 2 * kFrame;
  const auto journal = journal_of(9, 2);
  must(journal->truncate(8, kSegment + 1));
  EXPECT_EQ(journal->first_lsn(), 5u);
}

TEST_F(JournalTest, TruncatedEventsAreMissedOnlyByWhoAsksForThem) {
  must(journal_of(7, 2)->truncate(4, 0));
  const auto opened = open_texts(disk_, quiet(), 4);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), Code::corrupt);
  EXPECT_NE(opened.error().message().find("events 4 to 4 are missing"), std::string::npos) << opened.error().message();
}

TEST_F(JournalTest, ReadOnlyChangesNothing) {
  {
    const auto journal = journal_of(7, 2);
    must(journal->sync());
  }
  const auto file = must(disk_.open(segment_path(7), OpenMode::write));
  must(file->write_at(must(file->size()), "a torn tail"));
  const uint64_t before = disk_.operations();
  JournalOptions options = quiet();
  options.read_only = true;
  {
    const TextJournal opened = must(open_texts(disk_, options));
    EXPECT_EQ(opened.texts, texts_between(1, 7));
    EXPECT_EQ(opened.journal->last_lsn(), 7u);
    const auto refused = append_text(*opened.journal, "no");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), Code::unsupported);
    EXPECT_EQ(problems_of(*opened.journal), "");
    EXPECT_FALSE(opened.journal->truncate(7, 0));
  }
  EXPECT_EQ(disk_.operations(), before);
}

TEST_F(JournalTest, ReadOnlyOfNothingMakesNothing) {
  SimulatedDisk empty;
  JournalOptions options = quiet();
  options.read_only = true;
  const auto opened = open_texts(empty, options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), Code::not_found);
  EXPECT_EQ(empty.operations(), 0u);
}

}  // namespace
}  // namespace aduana
