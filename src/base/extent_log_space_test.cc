// Dead space of an ExtentLog, full disks, and the power that fails during a flush.

#include <gtest/gtest.h>

#include <map>

#include "base/extent_log.h"
#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

constexpr uint64_t kHeader = 24;

void flush(ExtentLog& log) {
  const auto flush = log.begin_flush();
  must(log.write_out(flush));
  must(log.end_flush(flush));
}

using Entries = std::map<ExtentAddress, std::string>;

Entries entries_of(const ExtentLog& log, uint64_t number) {
  Entries entries;
  must(log.scan(number, [&](ExtentAddress address, std::string_view bytes) -> Status {
    entries[address] = bytes;
    return {};
  }));
  return entries;
}

class ExtentLogSpaceTest : public testing::Test {
 protected:
  std::unique_ptr<ExtentLog> open(const ExtentLog::State& state = {}) {
    return must(ExtentLog::open(disk_, "/log", state));
  }
  SimulatedDisk disk_;
};

TEST_F(ExtentLogSpaceTest, ReleasedEntriesCountAsDeadToTheByte) {
  const auto log = open();
  const ExtentAddress a = log->append(std::string(1000, 'a')), b = log->append("b");
  EXPECT_EQ(log->state()[0].dead, 0u);
  log->release(b);
  EXPECT_EQ(log->state()[0].dead, 4 + 1 + 1u);
  log->release(a);
  EXPECT_EQ(log->state()[0].dead, log->state()[0].bytes - kHeader);
  EXPECT_EQ(log->state()[0].dead, b + 6 - a);
  EXPECT_EQ(must(log->read(a)), std::string(1000, 'a')) << "dead, but there until the segment goes";
}

TEST_F(ExtentLogSpaceTest, ReleaseOfNoEntryChangesNothing) {
  const auto log = open();
  log->release(0);
  log->release(12345);
  const ExtentAddress a = log->append("entry");
  log->release(0);
  log->release(a + 1);
  EXPECT_EQ(log->state()[0].dead, 0u);
}

TEST_F(ExtentLogSpaceTest, DeadSpaceIsRememberedThroughFlushAndReopen) {
  auto log = open();
  const ExtentAddress a = log->append("first");
  log->append("second");
  log->begin_segment();
  log->append("third");
  log->release(a);
  flush(*log);
  const uint64_t dead = log->state()[0].dead;
  EXPECT_EQ(dead, 10u);
  log = open(log->state());
  EXPECT_EQ(log->state()[0].dead, dead);
  EXPECT_EQ(log->state()[1].dead, 0u);
}

TEST_F(ExtentLogSpaceTest, SegmentsAreNamedByTheirShareOfDeadSpaceExceptTheGrowingOne) {
  const auto log = open();
  std::vector<ExtentAddress> addresses;
  for (int segment = 0; segment < 4; ++segment) {
    log->begin_segment();
    for (int i = 0; i < 4; ++i) addresses.push_back(log->append("entry"));
  }
  for (int i = 0; i < 4; ++i) log->release(addresses[i]);    // all of the first segment
  for (int i = 4; i < 6; ++i) log->release(addresses[i]);    // half of the second
  for (int i = 12; i < 16; ++i) log->release(addresses[i]);  // all of the last, which grows
  EXPECT_EQ(log->segments_with_dead(1.0), (std::vector<uint64_t>{0}));
  EXPECT_EQ(log->segments_with_dead(0.5), (std::vector<uint64_t>{0, 1}));
  EXPECT_EQ(log->segments_with_dead(0.51), (std::vector<uint64_t>{0}));
  EXPECT_EQ(log->segments_with_dead(0), (std::vector<uint64_t>{0, 1, 2}));
}

TEST_F(ExtentLogSpaceTest, ScanShowsEveryEntryOfOneSegmentInOrder) {
  const auto log = open();
  Entries first, second;
  for (int i = 0; i < 50; ++i) first[log->append("one " + std::to_string(i))] = "one " + std::to_string(i);
  log->begin_segment();
  for (int i = 0; i < 50; ++i) second[log->append("two " + std::to_string(i))] = "two " + std::to_string(i);
  EXPECT_EQ(entries_of(*log, 0), first);
  EXPECT_EQ(entries_of(*log, 1), second);
  EXPECT_EQ(entries_of(*log, 9), Entries{});
  flush(*log);
  EXPECT_EQ(entries_of(*log, 0), first);
  EXPECT_EQ(log->segment_of(first.begin()->first), 0u);
  EXPECT_EQ(log->segment_of(second.rbegin()->first), 1u);
}

TEST_F(ExtentLogSpaceTest, BeginSegmentTwiceMakesOne) {
  const auto log = open();
  log->begin_segment();
  EXPECT_TRUE(log->state().empty());
  log->append("entry");
  log->begin_segment();
  log->begin_segment();
  EXPECT_EQ(log->state().size(), 2u);
}

TEST_F(ExtentLogSpaceTest, AddressesOfADroppedSegmentAreNeverGivenAgain) {
  auto log = open();
  const ExtentAddress old = log->append("old");
  log->begin_segment();
  const ExtentAddress kept = log->append("kept");
  log->drop(0);
  EXPECT_FALSE(log->read(old));
  EXPECT_EQ(log->state().size(), 1u);
  flush(*log);
  log = open(log->state());
  log->begin_segment();
  EXPECT_GT(log->append("new"), kept);
  EXPECT_FALSE(log->read(old));
  EXPECT_EQ(must(log->read(kept)), "kept");
}

TEST_F(ExtentLogSpaceTest, FullDiskFailsTheFlushAndALaterOneWritesAll) {
  const auto log = open();
  const ExtentAddress a = log->append(std::string(5000, 'a'));
  flush(*log);
  const ExtentLog::State before = log->state();
  const ExtentAddress b = log->append(std::string(5000, 'b'));
  disk_.set_capacity(before[0].bytes + 1000);
  const auto failing = log->begin_flush();
  const Status full = log->write_out(failing);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code(), Code::no_space);
  EXPECT_EQ(must(log->read(b)), std::string(5000, 'b')) << "still in memory";
  EXPECT_EQ(must(open(before)->read(a)), std::string(5000, 'a')) << "the old state is untouched";
  disk_.heal();
  flush(*log);
  EXPECT_EQ(must(open(log->state())->read(b)), std::string(5000, 'b'));
}

TEST_F(ExtentLogSpaceTest, FailedSyncIsMadeUpForByWritingAgain) {
  const auto log = open();
  const ExtentAddress a = log->append(std::string(5000, 'a'));
  disk_.fail_sync_once();
  ASSERT_FALSE(log->write_out(log->begin_flush()));
  const ExtentAddress b = log->append("b");
  flush(*log);
  must(disk_.sync_dir("/"));
  const auto left = disk_.after_power_cut(CutPolicy::lose_all, 0);
  const auto again = must(ExtentLog::open(*left, "/log", log->state()));
  EXPECT_EQ(must(again->read(a)), std::string(5000, 'a'));
  EXPECT_EQ(must(again->read(b)), "b");
}

TEST_F(ExtentLogSpaceTest, FlushedStateSurvivesAPowerCutAtEveryOperationOfLaterFlushes) {
  ExtentLog::State durable;  // as a manifest would have it
  Entries promised, all;
  const auto check = [&] {
    for (CutPolicy policy : kAllCutPolicies) {
      for (uint64_t seed = 0; seed < 4; ++seed) {
        const auto left = disk_.after_power_cut(policy, seed);
        const auto log = ExtentLog::open(*left, "/log", durable);
        ASSERT_TRUE(log) << name_of(policy) << ": " << log.error().message();
        Entries found;
        for (const auto& segment : durable) found.merge(entries_of(**log, segment.number));
        EXPECT_EQ(found, promised) << name_of(policy);
        // Goes on from there, over whatever the lost flush left in the files.
        const ExtentAddress more = (*log)->append("more");
        flush(**log);
        EXPECT_EQ(must(must(ExtentLog::open(*left, "/log", (*log)->state()))->read(more)), "more");
      }
    }
  };
  disk_.on_operation([&](uint64_t) {
    if (!HasFailure()) check();
  });
  const auto log = open();
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 5; ++i) {
      const std::string text(static_cast<size_t>(1 + round * 300 + i), static_cast<char>('a' + i));
      all[log->append(text)] = text;
    }
    if (round % 2 == 1) log->begin_segment();
    const auto flushing = log->begin_flush();
    const ExtentLog::State state = log->state();
    const Entries known = all;
    all[log->append("appended during the flush")] = "appended during the flush";
    must(log->write_out(flushing));
    must(disk_.sync_dir("/"));
    durable = state;
    promised = known;
    must(log->end_flush(flushing));
  }
  disk_.on_operation({});
  check();
}

}  // namespace
}  // namespace aduana
