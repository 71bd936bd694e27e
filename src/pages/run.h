// A run: an immutable sorted file of index entries, the URL index's unit on disk.
//
//   blocks of 4096 bytes | filter | fences | footer
//   block:  prefix length u8 | index width u8 | entries u16 | prefix | entries | zeros | checksum u32 (last four bytes)
//   entry:  the key without the block's common prefix | page index, in `index width` bytes
//   footer: "ADUANAR1" | entries u64 | blocks u64 | first index u64 | end index u64 | filter bytes u64 |
//           checksum of filter u64 | checksum of fences u64 | checksum of the footer so far u64
//
// The whole 128-bit key is kept, so that two URLs are never taken for one another. Filter and fences (the first key of
// each block) are in memory. A run holds the pages of one range of indices. RunWriter is used by one thread. A Run may
// be read by several at once.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "pages/bloom_filter.h"
#include "pages/memtable.h"

namespace aduana {

inline constexpr size_t kRunBlockBytes = 4096;

struct RunRange {
  PageIdx first;
  PageIdx end;
  uint64_t entries() const { return end.value - first.value; }
};

class RunWriter {
 public:
  static Result<std::unique_ptr<RunWriter>> create(FileSystem& fs, const std::string& path, RunRange range);

  Status add(const IndexEntry& entry);  // in order of keys
  Status finish();                      // and sync

 private:
  RunWriter(std::unique_ptr<File> file, RunRange range);
  Status close_block();
  Status write_out();

  std::unique_ptr<File> file_;
  const RunRange range_;
  const int idx_width_;
  BloomFilter filter_;
  std::vector<PageKey> fences_;
  std::vector<IndexEntry> block_;
  int prefix_ = 16;
  uint64_t added_ = 0;
  uint64_t written_ = 0;
  uint64_t unsynced_ = 0;
  std::string buffer_;
};

class Run {
 public:
  // With `direct`, blocks are read from the device each time and not mapped: what a lookup costs when memory is scarce.
  static Result<std::shared_ptr<Run>> open(FileSystem& fs, const std::string& path, bool direct);

  uint64_t entries() const { return entries_; }
  uint64_t blocks() const { return fences_.size(); }
  RunRange range() const { return range_; }
  const std::string& path() const { return path_; }
  const BloomFilter& filter() const { return *filter_; }

  // The block that would hold the key.
  uint64_t block_of(const PageKey& key) const;
  // The bytes of a block, from the mapping, its checksum tested when first used.
  Result<std::string_view> block(uint64_t number) const;
  // The same by a read into `buffer`, of kRunBlockBytes and aligned to that.
  Status read_block(uint64_t number, char* buffer) const;

  Result<PageIdx> find(const PageKey& key) const;  // kNoPage if not here
  static PageIdx find_in_block(std::string_view block, const PageKey& key);
  static void decode_block(std::string_view block, std::vector<IndexEntry>& out);

  // Every checksum, the order of the keys, and that filter and fences know them.
  Status check(const std::function<void(const IndexEntry&)>& visit) const;

 private:
  Error damaged(uint64_t number, std::string_view what) const;

  std::string path_;
  std::unique_ptr<File> file_;
  std::unique_ptr<Mapping> mapping_;  // null when direct
  uint64_t entries_ = 0;
  RunRange range_;
  std::unique_ptr<BloomFilter> filter_;
  std::vector<PageKey> fences_;
  mutable std::vector<std::atomic<bool>> tested_;
};

}  // namespace aduana
