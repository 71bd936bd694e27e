// The URL index: has this page been seen, and as which? 128-bit key → page index.
//
// A clock cache, a memtable, and immutable sorted runs: a full memtable is sealed, then written as a run in the
// background; eight runs of a level are merged into one of the next, and a waiting memtable is written in the middle of
// a merge, so that no report waits for one. An entry is never changed or removed. The index is derived: runs() of a
// checkpoint and the pages behind flushed_end() make it again.
//
// lookup(), insert() and admit() are for one thread at a time; flushes and merges run beside them.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/file.h"
#include "pages/block_reader.h"
#include "pages/clock_cache.h"
#include "pages/memtable.h"
#include "pages/run.h"

namespace aduana {

struct IndexOptions {
  size_t cache_bytes = 256 << 20;
  size_t memtable_entries = Memtable::kMaxCapacity;
  size_t max_sealed = 4;      // memtables that may wait to be written before a report has to
  unsigned fan_in = 8;        // runs of a level that are merged into one of the next
  bool direct_reads = false;  // read runs from the device at every use, as if they did not fit in memory
  bool background = true;     // false: flushes and merges happen only in maintain()
  bool read_only = false;
};

class UrlIndex {
 public:
  struct RunState {
    uint64_t number = 0;
    uint32_t level = 0;
    bool operator==(const RunState&) const = default;
  };
  using State = std::vector<RunState>;  // oldest first

  static Result<std::unique_ptr<UrlIndex>> open(FileSystem& fs, const std::string& dir, const IndexOptions& options,
                                                const State& state);
  ~UrlIndex();

  // out[i] = the page of keys[i], or kNoPage.
  Status lookup(std::span<const PageKey> keys, PageIdx* out);
  // May an insert be made now? Waits for memtables to be written if too many are unwritten.
  Status admit();
  // Says that `key` will be inserted soon, so that the memory it goes to is on its way.
  void prefetch(const PageKey& key) const {
    active_->prefetch(key);
    cache_.prefetch(key);
  }
  // Enters a new page: `key` is unknown, `idx` the next one.
  void insert(const PageKey& key, PageIdx idx);

  // The first page that is in no run.
  PageIdx flushed_end() const;
  State state() const;
  static std::string path_of(const std::string& dir, uint64_t number);

  // The files that merges made superfluous before this call; to be removed when a checkpoint that does without them is
  // durable.
  std::vector<std::string> take_obsolete();

  // Ends the work in the background; what was begun and is not finished leaves no file.
  void stop();
  // Writes sealed memtables and makes the merges that are due, in this thread.
  Status maintain();
  // Everything that is in runs into one run.
  Status merge_all();

  // Reads every run whole: checksums, order, and hands out each entry.
  Status check(const std::function<void(const IndexEntry&)>& visit) const;

 private:
  struct LevelRun {
    uint64_t number;
    uint32_t level;
    std::shared_ptr<Run> run;
  };
  struct Version {                                        // never changed once installed
    std::vector<std::shared_ptr<const Memtable>> sealed;  // oldest first
    std::vector<LevelRun> runs;                           // oldest first
  };

  UrlIndex(FileSystem& fs, std::string dir, const IndexOptions& options);
  std::shared_ptr<const Version> version() const;
  Status search_runs(const Version& version, std::span<const PageKey> keys, std::vector<uint32_t>& missing,
                     PageIdx* out);
  Status search_runs_direct(const Version& version, std::span<const PageKey> keys, std::vector<uint32_t>& missing,
                            PageIdx* out);
  void seal();
  void work();
  Result<bool> flush_one();  // false: none was waiting
  Result<bool> merge_one();  // false: none was due
  Status merge(size_t begin, size_t end, uint32_t level);
  // The merged run, or null if it was told to stop.
  Result<std::shared_ptr<Run>> write_merged(const std::string& path, const Version& from, size_t begin, size_t end);
  // Removes what a failed flush or merge left (or has it removed with the next checkpoint) and returns the error.
  Error discard(const std::string& path, const Error& error);

  FileSystem& fs_;
  const std::string dir_;
  const IndexOptions options_;
  ClockCache cache_;
  std::shared_ptr<Memtable> active_;
  std::vector<uint32_t> missing_;  // scratch of lookup
  std::unique_ptr<BlockReader> reader_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const Version> version_;
  uint64_t next_number_ = 1;
  std::vector<std::string> obsolete_;
  std::optional<Error> failure_;  // of the background; kept until a later try succeeds
  bool stopping_ = false;
  std::mutex flushing_, merging_;  // one of each at a time; a merge may hold both
  std::thread worker_;
};

}  // namespace aduana
