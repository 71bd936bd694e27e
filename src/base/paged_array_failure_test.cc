// What a PagedArray does when its file can't be written or read, and what it lets go of.

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/must.h"
#include "base/paged_array.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

constexpr const char* kPath = "/array";
constexpr size_t kRecord = PagedArray::kChunkBytes;  // one to a chunk
constexpr size_t kResident = 16;

class PagedArrayFailureTest : public testing::Test {
 protected:
  std::unique_ptr<PagedArray> open(uint64_t size, bool read_only = false) {
    return must(PagedArray::open(disk_, kPath, kRecord, size, kResident, read_only));
  }
  static Status checkpoint(PagedArray& array) {
    const auto changes = array.begin_checkpoint();
    Status done = array.write(changes, changes.added);
    if (done) done = array.write(changes, changes.rewritten);
    array.end_checkpoint(changes, done.has_value(), done.has_value());
    return done;
  }
  // Records that hold their number plus one.
  static void add(PagedArray& array, uint64_t n) {
    for (uint64_t i = 0; i < n; ++i) {
      char* record = must(array.append());
      store_be<uint64_t>(record, array.size());
    }
  }
  static uint64_t get(PagedArray& array, uint64_t i) { return load_be<uint64_t>(must(array.get(i))); }
  void damage(uint64_t chunk, uint64_t byte = 100) {
    must(disk_.corrupt(kPath, chunk * PagedArray::kSlotBytes + byte, 4));
  }
  static std::string problems_of(PagedArray& array) {
    std::string problems;
    array.check([&](const Error& problem) { problems += problem.message() + "\n"; });
    return problems;
  }

  SimulatedDisk disk_;
};

TEST_F(PagedArrayFailureTest, ChangesStayToBeWrittenWhenACheckpointFails) {
  const auto array = open(0);
  add(*array, 5);
  must(checkpoint(*array));
  store_be<uint64_t>(must(array->change(2)), 222);
  add(*array, 1);
  for (const Code code : {Code::io, Code::no_space}) {
    for (uint64_t n = 1; n <= 4; ++n) {
      disk_.fail_after(n, code);
      EXPECT_FALSE(checkpoint(*array)) << n;
      disk_.heal();
    }
  }
  const auto changes = array->begin_checkpoint();
  EXPECT_EQ(changes.rewritten, (std::vector<uint64_t>{2}));
  EXPECT_EQ(changes.added, (std::vector<uint64_t>{5}));
  array->end_checkpoint(changes, false, false);
  must(checkpoint(*array));
  const auto again = open(6);
  EXPECT_EQ(get(*again, 2), 222u);
  EXPECT_EQ(get(*again, 5), 6u);
  EXPECT_EQ(problems_of(*again), "");
}

TEST_F(PagedArrayFailureTest, ChangeDuringACheckpointIsInTheNextOne) {
  const auto array = open(0);
  add(*array, 3);
  must(checkpoint(*array));
  store_be<uint64_t>(must(array->change(1)), 10);
  const auto first = array->begin_checkpoint();
  store_be<uint64_t>(must(array->change(1)), 20);
  must(array->write(first, first.rewritten));
  EXPECT_EQ(get(*open(3), 1), 10u) << "a checkpoint is of the moment it began";
  array->end_checkpoint(first, true, true);
  const auto second = array->begin_checkpoint();
  EXPECT_EQ(second.rewritten, (std::vector<uint64_t>{1}));
  must(array->write(second, second.rewritten));
  EXPECT_EQ(get(*open(3), 1), 20u);
}

TEST_F(PagedArrayFailureTest, ChangedChunksAreNotDroppedBeforeTheyAreSaved) {
  const auto array = open(0);
  add(*array, 100);
  must(checkpoint(*array));
  for (uint64_t i = 0; i < 100; ++i) store_be<uint64_t>(must(array->change(i)), i + 1000);
  const auto changes = array->begin_checkpoint();  // being written, and not yet in the file
  for (int round = 0; round < 3; ++round) {
    for (uint64_t i = 0; i < 100; ++i) ASSERT_EQ(get(*array, i), i + 1000);
  }
  array->end_checkpoint(changes, false, false);
  for (uint64_t i = 0; i < 100; ++i) ASSERT_EQ(get(*array, i), i + 1000);
}

TEST_F(PagedArrayFailureTest, UnchangedChunksAreDroppedFromMemoryAndReadBack) {
  {
    const auto array = open(0);
    add(*array, 100);
    must(checkpoint(*array));
  }
  const auto array = open(100);
  for (int round = 0; round < 2; ++round) {
    for (uint64_t i = 0; i < 100; ++i) ASSERT_EQ(get(*array, i), i + 1);
  }
  damage(3);
  EXPECT_FALSE(array->get(3)) << "it is not in memory any more";
}

TEST_F(PagedArrayFailureTest, AppendingAloneDropsChunksFromMemory) {
  const auto array = open(0);
  for (int round = 0; round < 10; ++round) {
    add(*array, 20);
    must(checkpoint(*array));
  }
  add(*array, 1);
  damage(3);
  EXPECT_FALSE(array->get(3)) << "200 chunks are in memory, 16 may be";
}

TEST_F(PagedArrayFailureTest, DamageIsReportedWithPathChunkAndOffset) {
  {
    const auto array = open(0);
    add(*array, 4);
    must(checkpoint(*array));
  }
  for (uint64_t byte : {uint64_t{0}, uint64_t{PagedArray::kChunkBytes - 1}, uint64_t{PagedArray::kSlotBytes - 1}}) {
    damage(2, byte);
    const auto array = open(4);
    const auto read = array->get(2);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), Code::corrupt);
    EXPECT_NE(read.error().message().find("/array: chunk 2 at offset 32784"), std::string::npos)
        << read.error().message();
    EXPECT_FALSE(array->change(2));
    char record[kRecord];
    EXPECT_FALSE(array->snapshot().read(2, record));
    EXPECT_EQ(get(*array, 1), 2u);
    EXPECT_NE(problems_of(*array).find("chunk 2"), std::string::npos);
    damage(2, byte);  // and back
    EXPECT_EQ(problems_of(*open(4)), "");
  }
}

TEST_F(PagedArrayFailureTest, ChunkOfAnotherPlaceIsDamage) {
  {
    const auto array = open(0);
    add(*array, 2);
    must(checkpoint(*array));
  }
  const std::string bytes = must(read_file(disk_, kPath));
  must(must(disk_.open(kPath, OpenMode::write))->write_at(0, bytes.substr(PagedArray::kSlotBytes)));
  EXPECT_FALSE(open(2)->get(0));
}

TEST_F(PagedArrayFailureTest, FileThatIsTooShortIsDamage) {
  {
    const auto array = open(0);
    add(*array, 3);
    must(checkpoint(*array));
  }
  must(must(disk_.open(kPath, OpenMode::write))->truncate(3 * PagedArray::kSlotBytes - 1));
  const auto array = open(3);
  EXPECT_EQ(array->get(2).error().code(), Code::corrupt);
  EXPECT_EQ(get(*array, 1), 2u);
}

TEST_F(PagedArrayFailureTest, AppendThatCantReadTheLastChunkAddsNothing) {
  constexpr size_t kHalf = PagedArray::kChunkBytes / 2;
  {
    const auto array = must(PagedArray::open(disk_, kPath, kHalf, 0, kResident, false));
    must(array->append());
    must(checkpoint(*array));
  }
  damage(0);
  const auto array = must(PagedArray::open(disk_, kPath, kHalf, 1, kResident, false));
  EXPECT_FALSE(array->append());
  EXPECT_EQ(array->size(), 1u);
  damage(0);
  EXPECT_TRUE(array->append());
  EXPECT_EQ(array->size(), 2u);
}

TEST_F(PagedArrayFailureTest, PutBackReplacesAChunkThatWasTorn) {
  std::string slot;
  {
    const auto array = open(0);
    add(*array, 3);
    const auto changes = array->begin_checkpoint();
    slot = PagedArray::slot_of(*must(changes.snapshot.chunk(1)), 1);
    must(array->write(changes, changes.added));
    array->end_checkpoint(changes, true, true);
  }
  damage(1);
  const auto array = open(3);
  must(array->put_back(1, slot));
  EXPECT_EQ(get(*array, 1), 2u);
  EXPECT_EQ(problems_of(*array), "") << "what is in memory is the truth";
  EXPECT_EQ(array->begin_checkpoint().rewritten, (std::vector<uint64_t>{1})) << "and goes to the file again";
}

TEST_F(PagedArrayFailureTest, PutBackRefusesWhatIsNotThatChunk) {
  const auto array = open(0);
  add(*array, 2);
  const auto changes = array->begin_checkpoint();
  std::string slot = PagedArray::slot_of(*must(changes.snapshot.chunk(1)), 1);
  EXPECT_FALSE(array->put_back(0, slot)) << "of another place";
  EXPECT_FALSE(array->put_back(2, slot)) << "beyond the end";
  EXPECT_FALSE(array->put_back(1, slot.substr(1)));
  EXPECT_FALSE(array->put_back(1, ""));
  slot[5] = static_cast<char>(slot[5] ^ 1);
  EXPECT_EQ(array->put_back(1, slot).error().code(), Code::corrupt);
}

TEST_F(PagedArrayFailureTest, ReadOnlyNeedsNoFileForNothingAndNeverWrites) {
  const uint64_t before = disk_.operations();
  EXPECT_EQ(open(0, true)->size(), 0u);
  EXPECT_EQ(disk_.operations(), before);
  {
    const auto array = open(0);
    add(*array, 2);
    must(checkpoint(*array));
  }
  const uint64_t written = disk_.operations();
  EXPECT_EQ(get(*open(2, true), 1), 2u);
  EXPECT_EQ(disk_.operations(), written);
}

}  // namespace
}  // namespace aduana
