// The pending pages of one queue that are on disk: sorted runs of chunks in a SpillFile.
//
// The first entry of each chunk is known in memory (16 bytes for 4096 entries), so the best entry of all is known
// without reading, and a run is read one chunk at a time, from its best to its worst.
//
// The number of runs is what taking chunks costs: in the worst case one chunk of each is in memory at a time. Eight
// runs of less than 8 chunks become one, and eight of 8 to 63. Longer ones are left alone: so no merge writes more than
// 504 chunks (24 MiB) in one go, an entry of a run that fills its chunks is merged twice at most, and after merge()
// there are no more runs than 14 and one for each 64 chunks.
//
// What is rewritten is let go only when all of it is written again: after an error all runs are as they were.
// Not thread-safe; the file must outlive this.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "schedule/spill_file.h"

namespace aduana {

struct SpilledChunk {
  uint32_t number = 0;
  PendingEntry first;
};
using SpilledRun = std::vector<SpilledChunk>;  // the worst chunk first: the next one to be read is at the end

class SpilledRuns {
 public:
  using Wanted = std::function<bool(const PendingEntry&)>;

  explicit SpilledRuns(SpillFile& file) : file_(file) {}
  SpilledRuns(const SpilledRuns&) = delete;
  SpilledRuns& operator=(const SpilledRuns&) = delete;
  ~SpilledRuns();

  bool empty() const { return runs_.empty(); }
  size_t size() const { return size_; }  // entries
  size_t runs() const { return runs_.size(); }
  const PendingEntry& next() const { return runs_[best_].back().first; }  // the best of all
  size_t bytes() const { return sizeof *this + runs_.capacity() * sizeof(SpilledRun) + chunks_ * sizeof(SpilledChunk); }

  // Writes a run of at least one entry. After an error nothing is added.
  Status add(std::span<const PendingEntry> sorted);
  // Takes the chunk that begins with next(). One that can't be read is dropped: `out` is empty then.
  Status take(std::vector<PendingEntry>& out);
  // Merges runs as long as there are too many of a size.
  Status merge();
  // Drops the entries that `wanted` says no to, up to an error: what comes behind that is as it was, and nothing is
  // done until there are twice as many entries.
  Status filter(const Wanted& wanted);
  Status for_each(const std::function<void(const PendingEntry&)>& visit) const;

 private:
  void count(const SpilledRun& run);
  void discard(const SpilledRun& run);
  void find_best();
  Status merge_size(size_t from, size_t until);

  SpillFile& file_;
  std::vector<SpilledRun> runs_;  // none is empty
  size_t best_ = 0;               // the run that next() is of
  size_t size_ = 0;
  size_t chunks_ = 0;
  size_t retry_filter_at_ = 0;  // entries; 0 unless the last filter() failed
};

}  // namespace aduana
