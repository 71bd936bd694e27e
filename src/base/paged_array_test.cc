#include "base/paged_array.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <random>
#include <thread>

#include "base/bytes.h"
#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

constexpr const char* kPath = "/array";
constexpr size_t kRecord = 4096;  // four to a chunk, so that few records make many chunks
constexpr size_t kPerChunk = PagedArray::kChunkBytes / kRecord;
constexpr size_t kResident = 16;  // the least there is

std::unique_ptr<PagedArray> open(FileSystem& fs, uint64_t size, bool read_only = false) {
  return must(PagedArray::open(fs, kPath, kRecord, size, kResident, read_only));
}

void set(char* record, uint64_t v) {
  store_be<uint64_t>(record, v);
  store_be<uint64_t>(record + kRecord - 8, ~v);
}
uint64_t value_in(const char* record) {
  EXPECT_EQ(load_be<uint64_t>(record + kRecord - 8), ~load_be<uint64_t>(record));
  return load_be<uint64_t>(record);
}
uint64_t get(PagedArray& array, uint64_t i) { return value_in(must(array.get(i))); }
uint64_t get(const PagedArray::Snapshot& snapshot, uint64_t i) {
  std::string record(kRecord, '\0');
  must(snapshot.read(i, record.data()));
  return value_in(record.data());
}

Status checkpoint(PagedArray& array) {
  const auto changes = array.begin_checkpoint();
  Status done = array.write(changes, changes.added);
  if (done) done = array.write(changes, changes.rewritten);
  array.end_checkpoint(changes, done.has_value(), done.has_value());
  return done;
}

class PagedArrayTest : public testing::Test {
 protected:
  // Records 0 to n − 1, each its own number, all of them saved.
  std::unique_ptr<PagedArray> array_of(uint64_t n) {
    auto array = open(disk_, 0);
    for (uint64_t i = 0; i < n; ++i) set(must(array->append()), i);
    must(checkpoint(*array));
    return array;
  }
  SimulatedDisk disk_;
};

TEST_F(PagedArrayTest, AppendsChangesAndGets) {
  const auto array = open(disk_, 0);
  EXPECT_EQ(array->size(), 0u);
  const char* fresh = must(array->append());
  EXPECT_EQ(std::string(fresh, kRecord), std::string(kRecord, '\0'));
  for (uint64_t i = 1; i < 10; ++i) set(must(array->append()), i);
  set(must(array->change(0)), 100);
  set(must(array->change(9)), 900);
  EXPECT_EQ(array->size(), 10u);
  EXPECT_EQ(get(*array, 0), 100u);
  EXPECT_EQ(get(*array, 5), 5u);
  EXPECT_EQ(get(*array, 9), 900u);
}

TEST_F(PagedArrayTest, RecordsBeyondTheEndAreNotFound) {
  const auto array = array_of(3);
  const auto snapshot = array->snapshot();
  char record[kRecord];
  EXPECT_EQ(array->get(3).error().code(), Code::not_found);
  EXPECT_EQ(array->change(3).error().code(), Code::not_found);
  EXPECT_EQ(snapshot.read(3, record).error().code(), Code::not_found);
}

TEST_F(PagedArrayTest, NothingReachesTheFileBeforeACheckpoint) {
  const auto array = open(disk_, 0);
  for (uint64_t i = 0; i < 100; ++i) set(must(array->append()), i);
  EXPECT_EQ(must(must(disk_.open(kPath, OpenMode::read))->size()), 0u);
  must(checkpoint(*array));
  const std::string saved = must(read_file(disk_, kPath));
  EXPECT_EQ(saved.size(), 25 * PagedArray::kSlotBytes);
  for (uint64_t i = 0; i < 100; ++i) set(must(array->change(i)), i + 1000);
  EXPECT_EQ(must(read_file(disk_, kPath)), saved);
}

TEST_F(PagedArrayTest, ReopensWithWhatTheCheckpointWrote) {
  array_of(101);
  const auto array = open(disk_, 101);
  for (uint64_t i = 0; i < 101; ++i) EXPECT_EQ(get(*array, i), i);
  set(must(array->append()), 101);
  EXPECT_EQ(get(*array, 101), 101u);
}

TEST_F(PagedArrayTest, CheckpointNamesWhatChangedAndWhatIsNew) {
  const auto array = array_of(10);  // chunks 0 to 2, the last with two records
  EXPECT_TRUE(array->begin_checkpoint().rewritten.empty());
  set(must(array->change(1)), 1);
  for (uint64_t i = 10; i < 20; ++i) set(must(array->append()), i);
  const auto changes = array->begin_checkpoint();
  EXPECT_EQ(changes.rewritten, (std::vector<uint64_t>{0, 2}));
  EXPECT_EQ(changes.added, (std::vector<uint64_t>{3, 4}));
}

TEST_F(PagedArrayTest, SnapshotIsAFrozenCopy) {
  const auto array = array_of(100);
  const auto snapshot = array->snapshot();
  for (uint64_t i = 0; i < 100; ++i) set(must(array->change(i)), i + 1000);
  for (uint64_t i = 100; i < 200; ++i) set(must(array->append()), i);
  EXPECT_EQ(snapshot.size(), 100u);
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(get(snapshot, i), i);
  must(checkpoint(*array));
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(get(snapshot, i), i);
}

TEST_F(PagedArrayTest, ChunksAreCopiedForSnapshotsThatLiveOnly) {
  auto array = array_of(2 * kPerChunk);
  const auto changed_in_place = [&](uint64_t i) {
    const char* before = must(array->get(i));
    set(must(array->change(i)), get(*array, i) + 100);
    return must(array->get(i)) == before;
  };
  EXPECT_TRUE(changed_in_place(0)) << "the checkpoint's snapshot is gone";
  std::optional<PagedArray::Snapshot> first = array->snapshot();
  EXPECT_FALSE(changed_in_place(0));
  EXPECT_TRUE(changed_in_place(0));
  std::optional<PagedArray::Snapshot> second = array->snapshot();
  second.reset();
  EXPECT_TRUE(changed_in_place(0)) << "the first has a copy of its own, the second is gone";
  EXPECT_FALSE(changed_in_place(kPerChunk)) << "the first has this one still";
  EXPECT_EQ(get(*first, 0), 100u);
  EXPECT_EQ(get(*first, kPerChunk), kPerChunk);
  first.reset();
  (void)array->snapshot();
  EXPECT_TRUE(changed_in_place(kPerChunk));
  EXPECT_EQ(get(*array, 0), 400u);
}

TEST_F(PagedArrayTest, SnapshotKeepsChunksThatWereNotInMemoryAndAreRewritten) {
  array_of(400);
  const auto array = open(disk_, 400);
  const auto first = array->snapshot();  // nothing is in memory
  for (uint64_t i = 0; i < 400; i += 2) set(must(array->change(i)), i + 1000);
  const auto second = array->snapshot();
  must(checkpoint(*array));
  for (uint64_t i = 1; i < 400; i += 2) set(must(array->change(i)), i + 2000);
  must(checkpoint(*array));
  for (uint64_t i = 0; i < 400; ++i) {
    EXPECT_EQ(get(first, i), i);
    EXPECT_EQ(get(second, i), i % 2 ? i : i + 1000);
    EXPECT_EQ(get(*array, i), i % 2 ? i + 2000 : i + 1000);
  }
}

TEST_F(PagedArrayTest, SnapshotIsReadWhileTheArrayIsChangedAndSaved) {
  array_of(400);
  const auto array = open(disk_, 400);
  const auto snapshot = array->snapshot();
  std::atomic<bool> done = false;
  std::thread reader([&] {
    do {
      for (uint64_t i = 0; i < 400; ++i) ASSERT_EQ(get(snapshot, i), i);
    } while (!done);
  });
  for (uint64_t round = 1; round <= 5; ++round) {
    for (uint64_t i = 0; i < 400; ++i) set(must(array->change(i)), i + round * 1000);
    must(checkpoint(*array));
  }
  done = true;
  reader.join();
}

TEST_F(PagedArrayTest, RandomOperationsAgreeWithAVectorWhateverIsInMemory) {
  std::mt19937_64 random(42);
  auto array = open(disk_, 0);
  std::vector<uint64_t> model;
  std::vector<std::pair<PagedArray::Snapshot, std::vector<uint64_t>>> snapshots;
  std::optional<PagedArray::Changes> writing;
  std::vector<uint64_t> saved;  // what the checkpoint that is being written holds
  for (int step = 0; step < 20'000; ++step) {
    SCOPED_TRACE(step);
    const uint64_t dice = random() % 1000;
    const uint64_t i = model.empty() ? 0 : random() % model.size();
    if (model.empty() || (dice < 60 && model.size() < 800)) {
      model.push_back(random());
      set(must(array->append()), model.back());
    } else if (dice < 300) {
      set(must(array->change(i)), model[i] = random());
    } else if (dice < 960) {
      ASSERT_EQ(get(*array, i), model[i]);
    } else if (dice < 975) {
      if (!writing) {
        writing = array->begin_checkpoint();
        saved = model;
      } else {
        const bool fails = random() % 3 == 0;
        if (!fails) {
          must(array->write(*writing, writing->added));
          must(array->write(*writing, writing->rewritten));
        }
        array->end_checkpoint(*writing, !fails, !fails);
        writing.reset();
        if (!fails && random() % 3 == 0) {  // and the process dies
          model = saved;
          snapshots.clear();
          array = open(disk_, model.size());
        }
      }
    } else if (dice < 985) {
      snapshots.emplace_back(array->snapshot(), model);
      if (snapshots.size() > 4) snapshots.erase(snapshots.begin() + static_cast<ptrdiff_t>(random() % 4));
    } else {
      for (const auto& [snapshot, frozen] : snapshots) {
        ASSERT_EQ(snapshot.size(), frozen.size());
        if (frozen.empty()) continue;
        ASSERT_EQ(get(snapshot, i % frozen.size()), frozen[i % frozen.size()]);
      }
    }
  }
  for (uint64_t i = 0; i < model.size(); ++i) ASSERT_EQ(get(*array, i), model[i]);
  for (const auto& [snapshot, frozen] : snapshots) {
    for (uint64_t i = 0; i < frozen.size(); ++i) ASSERT_EQ(get(snapshot, i), frozen[i]);
  }
}

}  // namespace
}  // namespace aduana
