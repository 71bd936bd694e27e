// An array of fixed-size records that is changed in memory and reaches the disk only in checkpoints.
//
// Records live in chunks of 16 KiB. Nothing is written between checkpoints, so a record can never be on the disk before
// the journal frame that explains it. A checkpoint takes a Snapshot (cheap: chunks are shared, and copied when they
// change while it lives) and writes the chunks that changed; those that the last checkpoint knows too go through a
// ChunkBackup first
// (see there), because a power cut may tear a chunk that is written over.
// Chunks that did not change lately are dropped from memory when there are more than `max_resident`, and read back when
// asked for; each has a checksum, tested when it is read.
//
// Not thread-safe; a Snapshot may be used by any thread while the array goes on.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"

namespace aduana {

class PagedArray {
 public:
  static constexpr size_t kChunkBytes = 16384;
  static constexpr size_t kSlotBytes = kChunkBytes + 8;  // on disk: with its checksum

  struct Chunk {
    uint64_t epoch;  // that it was made or last changed in; every snapshot begins a new one
    bool used_lately = true;
    char bytes[kChunkBytes];
  };

  // The array as it was at one moment.
  class Snapshot {
   public:
    uint64_t size() const { return size_; }
    // Copies record i to out; Code::corrupt or io if its chunk can't be read.
    Status read(uint64_t i, char* out) const;
    // A whole chunk, to be read only while there is a copy of this snapshot.
    Result<std::shared_ptr<const Chunk>> chunk(uint64_t number) const;
    uint64_t records_per_chunk() const { return per_chunk_; }

   private:
    friend class PagedArray;
    // What the array knows of a snapshot.
    struct Life {
      explicit Life(uint64_t e) : epoch(e) {}
      const uint64_t epoch;  // it has the chunks of this one and those before
      std::atomic<bool> over = false;
    };
    // Chunks that were not in memory are null and read from the file; before such a chunk changes, the array puts the
    // old one here.
    struct Chunks {
      explicit Chunks(std::shared_ptr<Life> l) : life(std::move(l)) {}
      ~Chunks() { life->over.store(true, std::memory_order_release); }

      const std::shared_ptr<Life> life;
      std::mutex mutex;
      std::vector<std::shared_ptr<const Chunk>> by_number;
      // The last ones that were read from the file, by number modulo 16, for scans.
      std::array<std::pair<uint64_t, std::shared_ptr<const Chunk>>, 16> recent;
    };
    std::shared_ptr<Chunks> chunks_;
    std::shared_ptr<File> file_;
    std::string path_;
    uint64_t size_ = 0, per_chunk_ = 1, record_bytes_ = 0;
  };

  // `record_bytes` divides kChunkBytes. `size` records are in the file; 0 begins an empty array.
  static Result<std::unique_ptr<PagedArray>> open(FileSystem& fs, std::string path, size_t record_bytes, uint64_t size,
                                                  size_t max_resident, bool read_only);

  uint64_t size() const { return size_; }
  // The bytes of record i, good until the next call of anything.
  Result<const char*> get(uint64_t i);
  Result<char*> change(uint64_t i);
  // A new record of zeros at the end.
  Result<char*> append();

  Snapshot snapshot();

  // What a checkpoint would have to write now.
  uint64_t changed_bytes() const { return changed_ * kChunkBytes; }

  // What a checkpoint has to write: the numbers of the chunks that changed since the last one.
  struct Changes {
    Snapshot snapshot;
    std::vector<uint64_t> rewritten;  // also in the last checkpoint
    std::vector<uint64_t> added;      // not in it
  };
  Changes begin_checkpoint();
  Status write(const Changes& changes, const std::vector<uint64_t>& numbers) const;  // and sync
  // `committed`: the checkpoint is valid now, so its chunks must not be written over without a backup any more.
  // `in_place`: the rewritten ones reached the file; if not they stay changed, and the backup has to stay until the
  // next.
  void end_checkpoint(const Changes& changes, bool committed, bool in_place);

  // Puts a chunk of the last checkpoint in place whose way to the file was cut short; `slot` is what slot_of() gave.
  Status put_back(uint64_t number, std::string_view slot);

  // Tests the checksum of every chunk that the file is to be believed for.
  void check(const std::function<void(const Error&)>& problem);

  // The bytes of a chunk on disk: with its checksum.
  static std::string slot_of(const Chunk& chunk, uint64_t number);

 private:
  PagedArray(std::string path, size_t record_bytes, size_t max_resident);
  Result<Chunk*> resident(uint64_t number);
  void make_room();
  void mark_dirty(uint64_t number);
  bool is_in_a_snapshot(const Chunk& chunk);
  void keep_for_snapshots(uint64_t number);

  const std::string path_;
  const uint64_t record_bytes_;
  const uint64_t per_chunk_;
  const size_t max_resident_;
  std::shared_ptr<File> file_;  // null until there is one
  std::vector<std::shared_ptr<Chunk>> chunks_;
  enum ChunkState : uint8_t { clean = 0, dirty = 1, being_written = 2 };  // bits: both may be set
  std::vector<uint8_t> states_;
  struct Taken {
    std::shared_ptr<const Snapshot::Life> life;
    std::weak_ptr<Snapshot::Chunks> chunks;
  };
  std::vector<Taken> snapshots_;
  uint64_t size_ = 0;
  uint64_t epoch_ = 1;
  uint64_t saved_chunks_ = 0;  // in the last checkpoint
  uint64_t changed_ = 0;       // chunks that are dirty
  size_t resident_ = 0;
  size_t hand_ = 0;
};

}  // namespace aduana
