// A scratch file for pending pages that memory has no room for: chunks of entries, given out by number.
//
// Nothing in it outlives the process, because queues are made again from the page records: the file is emptied when it
// is opened, removed when it is closed and never synced. The checksum of a chunk is kept in memory, so that a chunk
// that is not what was written last is always noticed. Chunks that were let go are used again: the file grows to the
// most that was ever spilled at a time, and not beyond.
//
// A write that fails harms nothing. A read that fails is remembered in failure() for good: pending pages are missing
// from then on, and the store has to be opened again. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "schedule/pending_heap.h"

namespace aduana {

class SpillFile {
 public:
  static constexpr size_t kChunkEntries = 4096;  // 48 KiB

  static Result<std::unique_ptr<SpillFile>> open(FileSystem& fs, std::string path,
                                                 size_t chunk_entries = kChunkEntries);
  ~SpillFile();

  size_t chunk_entries() const { return chunk_entries_; }
  size_t chunks() const { return slots_.size() - free_.size(); }  // in use
  const std::optional<Error>& failure() const { return failure_; }

  // Writes 1 to chunk_entries() entries to a free chunk and returns its number.
  Result<uint32_t> write(std::span<const PendingEntry> entries);
  // The entries of a chunk, in the order in which they were written. After an error `out` is empty.
  Status read(uint32_t chunk, std::vector<PendingEntry>& out);
  size_t entries_in(uint32_t chunk) const { return slots_[chunk].entries; }
  void free(uint32_t chunk) { free_.push_back(chunk); }

 private:
  struct Slot {
    uint64_t checksum = 0;
    uint32_t entries = 0;
  };

  SpillFile(FileSystem& fs, std::string path, std::unique_ptr<File> file, size_t chunk_entries);
  uint64_t offset_of(uint32_t chunk) const { return chunk * uint64_t{buffer_.size()}; }
  Status read_bytes(uint32_t chunk, size_t n);

  FileSystem& fs_;
  const std::string path_;
  const std::unique_ptr<File> file_;
  const size_t chunk_entries_;
  std::string buffer_;       // the bytes of one chunk
  std::vector<Slot> slots_;  // by number
  std::vector<uint32_t> free_;
  std::optional<Error> failure_;
};

}  // namespace aduana
