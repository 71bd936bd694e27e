#include "schedule/spill_file.h"

#include <gtest/gtest.h>

#include "base/must.h"
#include "base/watched_disk.h"

namespace aduana {
namespace {

constexpr const char* kPath = "/spill";
constexpr size_t kChunk = 4;  // entries
constexpr uint64_t kChunkBytes = kChunk * 12;

using Entries = std::vector<PendingEntry>;

class SpillFileTest : public testing::Test {
 protected:
  Entries read(uint32_t chunk) {
    Entries entries;
    must(file_->read(chunk, entries));
    return entries;
  }
  uint64_t file_bytes() { return must(must(disk_.open(kPath, OpenMode::read))->size()); }

  WatchedDisk disk_;
  std::unique_ptr<SpillFile> file_ = must(SpillFile::open(disk_, kPath, kChunk));
};

Entries some(uint64_t seed, size_t n = kChunk) {
  Entries entries;
  for (size_t i = 0; i < n; ++i) entries.emplace_back(kLastOrderKey - seed * i, PageIdx{kMaxPages - seed - i});
  return entries;
}

TEST_F(SpillFileTest, GivesBackWhatWasWritten) {
  const uint32_t a = must(file_->write(some(1)));
  const uint32_t b = must(file_->write(some(2, 1)));
  const uint32_t c = must(file_->write(some(3, 3)));
  EXPECT_EQ(read(c), some(3, 3));
  EXPECT_EQ(read(b), some(2, 1));
  EXPECT_EQ(read(a), some(1));
  EXPECT_EQ(file_->entries_in(c), 3u);
  EXPECT_EQ(file_->chunks(), 3u);
  EXPECT_FALSE(file_->failure());
}

TEST_F(SpillFileTest, ChunksAreUsedAgain) {
  std::vector<uint32_t> chunks;
  for (uint64_t i = 0; i < 10; ++i) chunks.push_back(must(file_->write(some(i))));
  EXPECT_EQ(file_bytes(), 10 * kChunkBytes);
  for (uint64_t round = 1; round < 20; ++round) {
    for (uint64_t i = round % 3; i < 10; i += 3) file_->free(chunks[i]);
    for (uint64_t i = round % 3; i < 10; i += 3) chunks[i] = must(file_->write(some(round * 10 + i)));
    for (uint64_t i = round % 3; i < 10; i += 3) EXPECT_EQ(read(chunks[i]), some(round * 10 + i));
  }
  EXPECT_EQ(file_bytes(), 10 * kChunkBytes);
  EXPECT_EQ(file_->chunks(), 10u);
}

TEST_F(SpillFileTest, IsEmptiedAtOpenAndRemovedWhenClosed) {
  must(file_->write(some(1)));
  file_.reset();
  EXPECT_FALSE(must(disk_.exists(kPath)));

  must(must(disk_.open(kPath, OpenMode::create))->write_at(0, "what a killed process left behind"));
  file_ = must(SpillFile::open(disk_, kPath, kChunk));
  EXPECT_EQ(file_bytes(), 0u);
}

TEST_F(SpillFileTest, NothingIsSynced) {
  const uint64_t before = disk_.below().operations();
  for (uint64_t i = 0; i < 10; ++i) must(file_->write(some(i)));
  EXPECT_EQ(disk_.below().operations() - before, 10u) << "one write for each chunk, and nothing else";
}

TEST_F(SpillFileTest, EveryFlippedByteIsNoticed) {
  must(file_->write(some(1)));
  const uint32_t chunk = must(file_->write(some(2, 3)));
  for (uint64_t at = 0; at < 3 * 12; ++at) {
    must(disk_.below().corrupt(kPath, kChunkBytes + at, 0x10));
    Entries entries = some(5);
    const Status status = file_->read(chunk, entries);
    ASSERT_FALSE(status) << at;
    EXPECT_EQ(status.error().code(), Code::corrupt);
    EXPECT_NE(status.error().message().find("/spill: chunk 1 at offset 48"), std::string::npos)
        << status.error().message();
    EXPECT_TRUE(entries.empty());
    must(disk_.below().corrupt(kPath, kChunkBytes + at, 0x10));
  }
  EXPECT_EQ(read(chunk), some(2, 3));
  ASSERT_TRUE(file_->failure()) << "for good";
  EXPECT_EQ(file_->failure()->code(), Code::corrupt);
}

TEST_F(SpillFileTest, AChunkInThePlaceOfAnotherIsNoticed) {
  const uint32_t a = must(file_->write(some(1)));
  const uint32_t b = must(file_->write(some(2)));
  const auto file = must(disk_.open(kPath, OpenMode::write));
  char bytes[kChunkBytes];
  must(file->read_at(0, bytes, sizeof bytes));
  must(file->write_at(kChunkBytes, {bytes, sizeof bytes}));
  EXPECT_EQ(read(a), some(1));
  Entries entries;
  EXPECT_FALSE(file_->read(b, entries));
}

TEST_F(SpillFileTest, AFileCutShortIsNoticed) {
  const uint32_t chunk = must(file_->write(some(1)));
  must(must(disk_.open(kPath, OpenMode::write))->truncate(kChunkBytes - 1));
  Entries entries;
  const Status status = file_->read(chunk, entries);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), Code::corrupt);
}

TEST_F(SpillFileTest, AFailedReadIsRememberedAndEndsWriting) {
  const uint32_t chunk = must(file_->write(some(1)));
  disk_.fail_reads(Code::io);
  Entries entries;
  const Status status = file_->read(chunk, entries);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), Code::io);
  EXPECT_NE(status.error().message().find("open the store again"), std::string::npos);
  disk_.fail_reads(std::nullopt);

  must(must(disk_.open(kPath, OpenMode::write))->truncate(0));
  EXPECT_FALSE(file_->read(chunk, entries));
  ASSERT_TRUE(file_->failure());
  EXPECT_EQ(file_->failure()->code(), Code::io) << "the first one";
  const auto written = file_->write(some(2));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), Code::io);
}

TEST_F(SpillFileTest, AFailedWriteHarmsNothing) {
  const uint32_t a = must(file_->write(some(1)));
  for (const Code code : {Code::io, Code::no_space}) {
    disk_.below().fail_after(1, code);
    const auto written = file_->write(some(2));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), code);
    EXPECT_EQ(file_->chunks(), 1u);
    disk_.below().heal();
  }
  EXPECT_FALSE(file_->failure());
  EXPECT_EQ(read(a), some(1));
  EXPECT_EQ(read(must(file_->write(some(3)))), some(3));
  EXPECT_EQ(file_bytes(), 2 * kChunkBytes);
}

TEST_F(SpillFileTest, CannotBeMadeWhereThereIsNoFolder) {
  const auto file = SpillFile::open(disk_, "/nowhere/spill");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), Code::not_found);
}

}  // namespace
}  // namespace aduana
