#include "base/extent_log.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "base/bytes.h"
#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kHeader = 24;

std::string text_of(uint64_t seed, size_t n) {
  std::mt19937_64 random(seed);
  std::string text(n, '\0');
  for (size_t at = 0; at + 8 <= n; at += 8) store_be<uint64_t>(&text[at], random());
  return text;
}

class ExtentLogTest : public testing::Test {
 protected:
  std::unique_ptr<ExtentLog> open(const ExtentLog::State& state = {}) {
    return must(ExtentLog::open(disk_, "/log", state));
  }

  static void flush(ExtentLog& log) {
    const auto flush = log.begin_flush();
    must(log.write_out(flush));
    must(log.end_flush(flush));
  }

  static std::string read(const ExtentLog& log, ExtentAddress address) { return std::string(must(log.read(address))); }

  static void expect_none(const Result<std::string_view>& result) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code(), Code::corrupt);
    EXPECT_NE(result.error().message().find("/log"), std::string::npos) << result.error().message();
  }

  SimulatedDisk disk_;
};

TEST_F(ExtentLogTest, GivesBackWhatWasAppended) {
  const auto log = open();
  std::map<ExtentAddress, std::string> model;
  for (size_t i = 0; i < 300; ++i) model[log->append(text_of(i, i * i % 5000))] = text_of(i, i * i % 5000);
  EXPECT_EQ(model.size(), 300u) << "each has its own address";
  EXPECT_FALSE(model.contains(0));
  for (const auto& [address, text] : model) EXPECT_EQ(read(*log, address), text);
}

TEST_F(ExtentLogTest, EmptyEntryIsAnEntry) {
  const auto log = open();
  const ExtentAddress none = log->append(std::string_view()), empty = log->append("");
  EXPECT_NE(none, empty);
  EXPECT_EQ(read(*log, none), "");
  EXPECT_EQ(read(*log, empty), "");
}

TEST_F(ExtentLogTest, AddressesThatAreNoEntryAreCorrupt) {
  const auto log = open();
  expect_none(log->read(0));
  const ExtentAddress a = log->append("hello"), b = log->append("world");
  for (ExtentAddress address = 0; address < b + 20; ++address) {
    if (address != a && address != b) expect_none(log->read(address));
  }
  expect_none(log->read(ExtentLog::kSegmentBytes + kHeader));
  expect_none(log->read(~uint64_t{0}));
}

TEST_F(ExtentLogTest, SnapshotStaysAsItWasWhileTheLogGoesOn) {
  const auto log = open();
  const ExtentAddress address = log->append("before");
  const auto snapshot = log->snapshot();
  const std::string_view view = must(snapshot.read(address));
  log->begin_segment();
  log->append(text_of(1, kMiB));
  flush(*log);  // the first segment is mapped from now on
  log->drop(0);
  EXPECT_EQ(view, "before");
  EXPECT_EQ(must(snapshot.read(address)), "before");
  expect_none(log->read(address));
  must(disk_.remove(log->path_of(0)));
  EXPECT_EQ(must(snapshot.read(address)), "before");
}

TEST_F(ExtentLogTest, SnapshotIsReadWhileAnotherThreadAppendsAndFlushes) {
  const auto log = open();
  std::vector<ExtentAddress> addresses;
  for (uint64_t i = 0; i < 100; ++i) addresses.push_back(log->append(text_of(i, 1000)));
  const auto snapshot = log->snapshot();
  std::atomic<bool> done = false;
  std::thread reader([&] {
    do {
      for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(must(snapshot.read(addresses[i])), text_of(i, 1000));
    } while (!done);
  });
  for (uint64_t i = 0; i < 40; ++i) {
    log->append(text_of(i, 1 * kMiB));
    if (i % 8 == 0) flush(*log);
  }
  done = true;
  reader.join();
}

TEST_F(ExtentLogTest, FlushRunsBesideAppends) {
  const auto log = open();
  std::map<ExtentAddress, std::string> model;
  const auto add = [&](uint64_t seed, size_t n) { model[log->append(text_of(seed, n))] = text_of(seed, n); };
  for (uint64_t i = 0; i < 50; ++i) add(i, 10'000);
  const ExtentLog::State at_begin = log->state();
  const auto flush = log->begin_flush();
  std::thread writer([&] { must(log->write_out(flush)); });
  const size_t known = model.size();
  for (uint64_t i = 50; i < 100; ++i) add(i, kMiB);
  writer.join();
  must(log->end_flush(flush));
  for (const auto& [address, text] : model) EXPECT_EQ(read(*log, address), text);

  // Reopened at what the flush knew: its entries, and nothing later.
  const auto left = disk_.after_power_cut(CutPolicy::keep_all, 0);
  const auto again = must(ExtentLog::open(*left, "/log", at_begin));
  size_t i = 0;
  for (const auto& [address, text] : model) {
    if (i++ < known) {
      EXPECT_EQ(read(*again, address), text);
    } else {
      expect_none(again->read(address));
    }
  }
}

TEST_F(ExtentLogTest, SegmentsRoll) {
  const auto log = open();
  std::map<ExtentAddress, std::string> model;
  for (uint64_t i = 0; i < 10; ++i) model[log->append(text_of(i, 7 * kMiB))] = text_of(i, 7 * kMiB);
  const auto state = log->state();
  ASSERT_EQ(state.size(), 3u);  // four to a segment
  for (size_t i = 0; i < state.size(); ++i) EXPECT_EQ(state[i].number, i);
  flush(*log);
  for (const auto& [address, text] : model) EXPECT_EQ(read(*log, address), text);
  const auto again = open(state);
  for (const auto& [address, text] : model) EXPECT_EQ(read(*again, address), text);
  EXPECT_EQ(again->bytes(), log->bytes());
}

TEST_F(ExtentLogTest, EntryLargerThanASegmentHasItsOwnPlace) {
  const auto log = open();
  const std::string small = "small", large = text_of(1, 34 * kMiB), huge = text_of(2, 70 * kMiB);
  const ExtentAddress a = log->append(small), b = log->append(large), c = log->append(huge), d = log->append(small);
  for (int reopened = 0; reopened < 2; ++reopened) {
    const auto again = reopened ? open(log->state()) : nullptr;
    const ExtentLog& now = reopened ? *again : *log;
    EXPECT_EQ(read(now, a), small);
    EXPECT_EQ(read(now, b), large);
    EXPECT_EQ(read(now, c), huge);
    EXPECT_EQ(read(now, d), small);
    if (!reopened) flush(*log);
  }
}

TEST_F(ExtentLogTest, NothingIsPutInThePlaceOfALargeEntryThatIsTheLast) {
  const std::string large = text_of(1, 34 * kMiB);
  ExtentLog::State state;
  ExtentAddress address;
  {
    const auto log = open();
    address = log->append(large);
    flush(*log);
    state = log->state();
    log->append("lost");
    flush(*log);
  }
  const auto log = open(state);
  const ExtentAddress next = log->append(text_of(2, 31 * kMiB)), after = log->append("after");
  EXPECT_EQ(read(*log, address), large);
  flush(*log);
  const auto again = open(log->state());
  EXPECT_EQ(read(*again, address), large);
  EXPECT_EQ(read(*again, next), text_of(2, 31 * kMiB));
  EXPECT_EQ(read(*again, after), "after");
}

TEST_F(ExtentLogTest, OpenForgetsWhatCameAfterTheState) {
  auto log = open();
  const ExtentAddress kept = log->append("kept");
  flush(*log);
  const ExtentLog::State state = log->state();
  const ExtentAddress lost = log->append("lost, and longer than what comes in its place");
  log->begin_segment();
  const ExtentAddress lost_too = log->append("in a segment that the state does not know");
  flush(*log);

  log = open(state);
  expect_none(log->read(lost));
  expect_none(log->read(lost_too));
  EXPECT_EQ(log->append("new"), lost);
  log->begin_segment();
  const ExtentAddress newest = log->append("newest");
  flush(*log);
  log = open(log->state());
  EXPECT_EQ(read(*log, kept), "kept");
  EXPECT_EQ(read(*log, lost), "new");
  EXPECT_EQ(read(*log, newest), "newest");
}

TEST_F(ExtentLogTest, DamagedEntryIsCorruptAndTheOthersAreNot) {
  auto log = open();
  const ExtentAddress a = log->append("first entry"), b = log->append("second entry"), c = log->append("third entry");
  flush(*log);
  for (ExtentAddress at = b; at < c; ++at) {
    const auto disk = disk_.after_power_cut(CutPolicy::keep_all, 0);
    must(disk->corrupt(log->path_of(0), at, 0x10));
    const auto damaged = must(ExtentLog::open(*disk, "/log", log->state()));
    EXPECT_EQ(read(*damaged, a), "first entry");
    expect_none(damaged->read(b));
    EXPECT_EQ(read(*damaged, c), "third entry");
    const Status scanned = damaged->scan(0, [](ExtentAddress, std::string_view) { return Status{}; });
    ASSERT_FALSE(scanned);
    EXPECT_NE(scanned.error().message().find(log->path_of(0)), std::string::npos) << scanned.error().message();
  }
}

TEST_F(ExtentLogTest, MissingShortOrForeignFileIsNotOpened) {
  const auto log = open();
  log->append("entry");
  flush(*log);
  const ExtentLog::State state = log->state();
  for (uint64_t offset = 0; offset < kHeader; ++offset) {
    const auto disk = disk_.after_power_cut(CutPolicy::keep_all, 0);
    must(disk->corrupt(log->path_of(0), offset, 1));
    const auto opened = ExtentLog::open(*disk, "/log", state);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), Code::corrupt);
  }
  must(must(disk_.open(log->path_of(0), OpenMode::write))->truncate(state[0].bytes - 1));
  EXPECT_EQ(ExtentLog::open(disk_, "/log", state).error().code(), Code::corrupt);
  must(disk_.remove(log->path_of(0)));
  EXPECT_EQ(ExtentLog::open(disk_, "/log", state).error().code(), Code::not_found);
}

}  // namespace
}  // namespace aduana
