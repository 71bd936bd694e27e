// The power fails at every operation of a short run, under every policy and durability: what is found again is a
// prefix with all that was acknowledged, and a journal that can be trusted with more.

#include <gtest/gtest.h>

#include "journal/text_journal.h"

namespace aduana {
namespace {

constexpr int kSeeds = 3;
constexpr uint64_t kFrame = kFrameHeaderBytes + 7;

// What the run has been told so far.
struct Progress {
  Lsn appended = 0;  // append() returned
  Lsn promised = 0;  // wait() under `always`, or sync(), returned
  Lsn checkpoint = 0;
};

void expect_prefix(FileSystem& fs, Durability durability, const Progress& progress, Lsn at_least) {
  const auto opened = open_texts(fs, quiet(durability, kSegmentHeaderBytes + 3 * kFrame), progress.checkpoint + 1);
  ASSERT_TRUE(opened) << opened.error().message();
  const Lsn last = opened->journal->last_lsn();
  EXPECT_GE(last, at_least);
  EXPECT_LE(last, progress.appended + 1);  // the one that was being written may be there, too
  EXPECT_EQ(opened->texts, texts_between(progress.checkpoint + 1, last));
  EXPECT_EQ(problems_of(*opened->journal), "");

  // What is acknowledged from now on is as safe as ever.
  for (Lsn lsn = last + 1; lsn <= last + 4; ++lsn) ASSERT_TRUE(append_text(*opened->journal, text_of(lsn)));
  ASSERT_TRUE(opened->journal->sync());
}

void check_cuts(const SimulatedDisk& disk, Durability durability, const Progress& progress) {
  for (CutPolicy policy : kAllCutPolicies) {
    for (uint64_t seed = 0; seed < (policy == CutPolicy::lose_all || policy == CutPolicy::keep_all ? 1 : kSeeds);
         ++seed) {
      SCOPED_TRACE(testing::Message() << name_of(policy) << " seed " << seed);
      const auto left = disk.after_power_cut(policy, seed);
      const Lsn known = policy == CutPolicy::keep_all ? progress.appended : progress.promised;
      expect_prefix(*left, durability, progress, known);
      if (testing::Test::HasFailure()) return;
      // And the power fails again.
      const auto again = left->after_power_cut(CutPolicy::lose_all, seed);
      const auto opened = open_texts(*again, quiet(), progress.checkpoint + 1);
      ASSERT_TRUE(opened) << opened.error().message();
      EXPECT_GE(opened->journal->last_lsn(), known + 4);
    }
  }
}

// Segment after segment without a sync, until the journal makes one by itself.
void run_without_sync(SimulatedDisk& disk, Durability durability, Progress& progress) {
  TextJournal opened = must(open_texts(disk, quiet(durability, kSegmentHeaderBytes + kFrame)));
  for (Lsn lsn = 1; lsn <= 12; ++lsn) {
    progress.appended = lsn - 1;
    must(append_text(*opened.journal, text_of(lsn)));
    progress.appended = lsn;
  }
}

void run(SimulatedDisk& disk, Durability durability, Progress& progress) {
  TextJournal opened = must(open_texts(disk, quiet(durability, kSegmentHeaderBytes + 2 * kFrame)));
  Journal& journal = *opened.journal;
  for (Lsn lsn = 1; lsn <= 9; ++lsn) {
    progress.appended = lsn - 1;
    must(append_text(journal, text_of(lsn)));
    progress.appended = lsn;
    must(journal.wait(lsn));
    if (durability == Durability::always) progress.promised = lsn;
    if (lsn % 4 == 0) {
      must(journal.sync());
      progress.promised = lsn;
    }
    if (lsn == 8) {
      progress.checkpoint = 7;
      must(journal.truncate(progress.checkpoint, 0));
    }
  }
}

class JournalPowerCutTest : public testing::TestWithParam<Durability> {
 protected:
  // Before every operation of a run, and after the last.
  template <class Run>
  void cut_everywhere(const Run& run) {
    SimulatedDisk disk;
    make_journal_dir(disk);
    Progress progress;
    disk.on_operation([&](uint64_t n) {
      if (testing::Test::HasFailure()) return;
      SCOPED_TRACE(testing::Message() << "operation " << n);
      check_cuts(disk, GetParam(), progress);
    });
    run(disk, GetParam(), progress);
    disk.on_operation({});
    check_cuts(disk, GetParam(), progress);
  }
};

TEST_P(JournalPowerCutTest, AtEveryOperation) { cut_everywhere(run); }

TEST_P(JournalPowerCutTest, WhereManySegmentsAreNotSynced) { cut_everywhere(run_without_sync); }

// The same when the disk fails at an operation and all later ones, and the power goes then.
TEST_P(JournalPowerCutTest, AfterAFaultAtEveryOperation) {
  for (const Code code : {Code::io, Code::no_space}) {
    for (uint64_t n = 1;; ++n) {
      SCOPED_TRACE(testing::Message() << name_of(code) << " from operation " << n);
      SimulatedDisk disk;
      make_journal_dir(disk);
      disk.fail_after(n, code);
      Progress progress;
      bool failed = false;
      try {
        run(disk, GetParam(), progress);
      } catch (const std::exception&) {
        failed = true;
      }
      disk.heal();
      check_cuts(disk, GetParam(), progress);
      if (testing::Test::HasFailure() || !failed) break;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Durabilities, JournalPowerCutTest,
                         testing::Values(Durability::none, Durability::interval, Durability::always),
                         [](const auto& durability) {
                           return durability.param == Durability::none       ? "none"
                                  : durability.param == Durability::interval ? "interval"
                                                                             : "always";
                         });

}  // namespace
}  // namespace aduana
