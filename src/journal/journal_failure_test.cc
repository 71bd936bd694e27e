// Full disks, failing syncs, and many threads at once.

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <latch>
#include <set>
#include <thread>

#include "journal/text_journal.h"

namespace aduana {
namespace {

constexpr uint64_t kFrame = kFrameHeaderBytes + 7;  // of "event 1"

class JournalFailureTest : public testing::Test {
 protected:
  void SetUp() override { make_journal_dir(disk_); }

  std::unique_ptr<Journal> open(const JournalOptions& options) { return must(open_texts(disk_, options)).journal; }
  std::vector<std::string> texts_after(CutPolicy policy) {
    return must(open_texts(*disk_.after_power_cut(policy, 0), quiet())).texts;
  }

  SimulatedDisk disk_;
};

TEST_F(JournalFailureTest, FullDiskRefusesTheAppendAndLeavesAllAsItWas) {
  const auto journal = open(quiet(Durability::always));
  must(journal->wait(must(append_text(*journal, text_of(1)))));
  const uint64_t used = kSegmentHeaderBytes + kFrame;
  for (uint64_t room = 0; room < kFrame; ++room) {
    SCOPED_TRACE(room);
    disk_.set_capacity(used + room);
    const auto refused = append_text(*journal, text_of(2));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), Code::no_space);
    EXPECT_TRUE(journal->health());
    EXPECT_EQ(journal->last_lsn(), 1u);
    EXPECT_EQ(journal->bytes(), used);
    EXPECT_EQ(must(must(disk_.open(segment_path(1), OpenMode::read))->size()), used);
    for (CutPolicy policy : kAllCutPolicies) EXPECT_EQ(texts_after(policy), texts_between(1, 1)) << name_of(policy);
  }
  disk_.set_capacity(used + kFrame);
  EXPECT_EQ(must(append_text(*journal, text_of(2))), 2u);
  must(journal->wait(2));
  EXPECT_EQ(texts_after(CutPolicy::lose_all), texts_between(1, 2));
}

TEST_F(JournalFailureTest, DiskThatFillsUpWhereANewSegmentBeginsIsSurvived) {
  const auto journal = open(quiet(Durability::always, kSegmentHeaderBytes + kFrame));
  must(journal->wait(must(append_text(*journal, text_of(1)))));
  for (uint64_t room = 0; room < kSegmentHeaderBytes + kFrame; ++room) {
    disk_.set_capacity(kSegmentHeaderBytes + kFrame + room);
    const auto refused = append_text(*journal, text_of(2));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), Code::no_space);
    EXPECT_TRUE(journal->health());
    if (room >= kSegmentHeaderBytes) break;  // the segment was begun; it stays
    for (CutPolicy policy : kAllCutPolicies) EXPECT_EQ(texts_after(policy), texts_between(1, 1)) << name_of(policy);
  }
  disk_.heal();
  must(journal->wait(must(append_text(*journal, text_of(2)))));
  EXPECT_EQ(journal->last_lsn(), 2u);
  EXPECT_EQ(texts_after(CutPolicy::lose_all), texts_between(1, 2));
}

TEST_F(JournalFailureTest, FailedSyncRefusesEverythingUntilTheNextOpen) {
  auto journal = open(quiet(Durability::always));
  must(journal->wait(must(append_text(*journal, text_of(1)))));
  const Lsn second = must(append_text(*journal, text_of(2)));
  disk_.fail_sync_once();
  const Status failed = journal->wait(second);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), Code::io);
  EXPECT_FALSE(journal->health());
  EXPECT_FALSE(append_text(*journal, text_of(3)));
  EXPECT_FALSE(journal->sync()) << "a second sync must not be believed";
  EXPECT_FALSE(journal->wait(second));
  EXPECT_TRUE(journal->wait(1)) << "what was durable before stays so";

  for (CutPolicy policy : kAllCutPolicies) {
    const auto texts = texts_after(policy);
    EXPECT_TRUE(texts == texts_between(1, 1) || texts == texts_between(1, 2)) << name_of(policy);
  }
  journal.reset();
  journal = open(quiet(Durability::always));
  EXPECT_TRUE(journal->health());
  const Lsn next = must(append_text(*journal, "more"));
  EXPECT_TRUE(journal->wait(next));
}

TEST_F(JournalFailureTest, AcknowledgedEventsWereLostBehindAFailedSyncOfAnEarlierOpen) {
  // The system forgets which bytes a failed sync left out, and a second sync is no help: they must be written again.
  {
    const auto journal = open(quiet(Durability::always));
    for (Lsn lsn = 1; lsn <= 5; ++lsn) must(append_text(*journal, text_of(lsn)));
    disk_.fail_sync_once();
    ASSERT_FALSE(journal->wait(5));
  }
  const auto journal = open(quiet(Durability::always));
  ASSERT_EQ(journal->last_lsn(), 5u) << "readers still see them";
  must(journal->wait(must(append_text(*journal, text_of(6)))));
  EXPECT_EQ(texts_after(CutPolicy::lose_all), texts_between(1, 6));
}

TEST_F(JournalFailureTest, FailedSyncBeforeANewSegmentRefusesTheAppend) {
  const auto journal = open(quiet(Durability::none, kSegmentHeaderBytes + kFrame));
  must(append_text(*journal, text_of(1)));
  disk_.fail_sync_once();
  EXPECT_FALSE(append_text(*journal, text_of(2)));
  EXPECT_FALSE(journal->health());
  EXPECT_EQ(must(disk_.list(kTextJournalDir)).size(), 1u);
}

// Nobody waits for the disk where a segment ends, until syncs are far behind.
TEST_F(JournalFailureTest, ANewSegmentIsBegunWithoutASync) {
  const auto journal = open(quiet(Durability::interval, kSegmentHeaderBytes + kFrame));
  disk_.fail_sync_once();
  for (Lsn lsn = 1; lsn <= 5; ++lsn) must(append_text(*journal, text_of(lsn)));
  EXPECT_EQ(must(disk_.list(kTextJournalDir)).size(), 5u);
  EXPECT_FALSE(append_text(*journal, text_of(6))) << "this one wanted to sync";
}

TEST_F(JournalFailureTest, SegmentsBehindALostEndDoNotCount) {
  const auto journal = open(quiet(Durability::interval, kSegmentHeaderBytes + 2 * kFrame));
  for (Lsn lsn = 1; lsn <= 5; ++lsn) must(append_text(*journal, text_of(lsn)));
  const auto left = disk_.after_power_cut(CutPolicy::keep_all, 0);
  must(must(left->open(segment_path(3), OpenMode::write))->truncate(kSegmentHeaderBytes + kFrame + 5));
  {
    const TextJournal opened = must(open_texts(*left, quiet()));
    EXPECT_EQ(opened.texts, texts_between(1, 3));
    EXPECT_EQ(must(left->list(kTextJournalDir)).size(), 2u);
    must(append_text(*opened.journal, "another four"));
    must(opened.journal->sync());
  }
  const auto again = left->after_power_cut(CutPolicy::lose_all, 0);
  EXPECT_EQ(must(open_texts(*again, quiet())).texts.back(), "another four");
}

TEST_F(JournalFailureTest, WriteErrorStopsTheJournal) {
  const auto journal = open(quiet());
  must(append_text(*journal, text_of(1)));
  disk_.fail_after(1, Code::io);
  EXPECT_FALSE(append_text(*journal, text_of(2)));
  disk_.heal();
  EXPECT_FALSE(journal->health());
  EXPECT_FALSE(append_text(*journal, text_of(2)));
  EXPECT_EQ(must(open_texts(disk_, quiet())).texts, texts_between(1, 1));
}

TEST_F(JournalFailureTest, WithoutAnythingNewNoSyncIsMade) {
  const auto journal = open(quiet(Durability::always));
  must(journal->wait(must(append_text(*journal, text_of(1)))));
  const uint64_t before = disk_.operations();
  must(journal->sync());
  must(journal->wait(1));
  EXPECT_EQ(disk_.operations(), before);
}

TEST_F(JournalFailureTest, EachOfEightThreadsFindsItsEventsDurable) {
  constexpr int kThreads = 8, kEach = 25;
  const auto journal = open(quiet(Durability::always, 2000));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const std::string mine = fmt::format("thread {} event {}", t, i);
        must(journal->wait(must(append_text(*journal, mine))));
        if (i % 5 != 0) continue;
        const auto texts = texts_after(CutPolicy::lose_all);
        EXPECT_EQ(std::count(texts.begin(), texts.end(), mine), 1) << mine;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  const auto texts = texts_after(CutPolicy::lose_all);
  EXPECT_EQ(texts.size(), size_t{kThreads * kEach});
  EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
}

TEST_F(JournalFailureTest, WaitingThreadsShareOneSync) {
  constexpr int kOthers = 7;
  const auto journal = open(quiet(Durability::always));
  const uint64_t before = disk_.operations();
  std::latch first_syncs(1), others_appended(kOthers);
  disk_.on_operation([&](uint64_t n) {
    if (n != before + 2) return;  // the first thread's sync: held up until everybody else has appended
    first_syncs.count_down();
    others_appended.wait();
  });
  std::vector<std::thread> threads;
  threads.emplace_back([&] { must(journal->wait(must(append_text(*journal, "first")))); });
  for (int i = 0; i < kOthers; ++i) {
    threads.emplace_back([&] {
      first_syncs.wait();
      const Lsn mine = must(append_text(*journal, "other"));
      others_appended.count_down();
      must(journal->wait(mine));
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(disk_.operations() - before, 1 + kOthers + 2u) << "eight writes, one sync for the first, one for the rest";
  EXPECT_EQ(texts_after(CutPolicy::lose_all).size(), size_t{1 + kOthers});
}

TEST_F(JournalFailureTest, IntervalSyncsInTheBackground) {
  JournalOptions options;
  options.sync_interval = Millis{1};
  const auto journal = open(options);
  const uint64_t before = disk_.operations();
  std::promise<void> background_syncs;
  disk_.on_operation([&](uint64_t n) {
    if (n == before + 2) background_syncs.set_value();
  });
  must(journal->wait(must(append_text(*journal, text_of(1)))));
  background_syncs.get_future().wait();
  must(journal->sync());  // waits for the one that runs
  EXPECT_LE(disk_.operations(), before + 3) << "one more if that began before the event counted as written";
  EXPECT_EQ(texts_after(CutPolicy::lose_all), texts_between(1, 1));
  disk_.on_operation({});
}

TEST_F(JournalFailureTest, SegmentsCutOffWhileTheyAreCheckedAreNoDamage) {
  const auto journal = open(quiet(Durability::none, kSegmentHeaderBytes + kFrame));
  for (Lsn lsn = 1; lsn <= 5; ++lsn) must(append_text(*journal, text_of(lsn)));
  must(disk_.corrupt(segment_path(1), 0, 1));
  std::vector<std::string> problems;
  must(journal->check([&](const Error& problem) {
    problems.push_back(problem.message());
    must(journal->truncate(3, 0));  // a checkpoint comes between
  }));
  EXPECT_EQ(problems.size(), 1u) << problems.back();
}

// What was synced before a pause is known to be durable though nothing followed it.
TEST_F(JournalFailureTest, AnIdleJournalTellsWhatIsDurable) {
  JournalOptions options = quiet(Durability::interval, 1 << 20);
  options.background = true;
  options.sync_interval = Millis{1};
  const auto journal = open(options);
  for (Lsn lsn = 1; lsn <= 3; ++lsn) must(append_text(*journal, text_of(lsn)));
  const uint64_t all = kSegmentHeaderBytes + 3 * kFrame;
  while (journal->bytes() == all) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(journal->bytes(), all + kFrameHeaderBytes) << "one frame more, and no second";
  const auto left = disk_.after_power_cut(CutPolicy::keep_all, 0);
  must(left->corrupt(segment_path(1), kSegmentHeaderBytes + 2 * kFrame + 3, 1));
  EXPECT_EQ(open_texts(*left, quiet()).error().code(), Code::corrupt);
  EXPECT_EQ(must(open_texts(*disk_.after_power_cut(CutPolicy::keep_all, 0), quiet())).texts, texts_between(1, 3));
}

}  // namespace
}  // namespace aduana
