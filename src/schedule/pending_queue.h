// The pending pages of one queue, best first: the best ones in a heap in memory, the rest in sorted runs on disk when
// the owner said so with spill().
//
// The top of the heap is no worse than any entry on disk, and the heap is empty only if there is nothing on disk
// either. So push() and top() never touch the disk, and pop() reads a chunk only when the heap's top would pass it.
// An entry that is pushed stays in memory, whatever its place, until the next spill(). As in a PendingHeap, entries
// left behind are counted until they come to the top.
//
// After a chunk could not be read its entries are missing, and the error is returned here and kept in
// SpillFile::failure(); the queue itself stays in order. A queue that never spilled is a PendingHeap and a pointer.
// Not thread-safe; the file must outlive the queue.
#pragma once

#include <memory>

#include "schedule/pending_heap.h"
#include "schedule/spilled_runs.h"

namespace aduana {

class PendingQueue {
 public:
  bool empty() const { return heap_.empty(); }
  size_t size() const { return heap_.size() + spilled(); }
  size_t in_memory() const { return heap_.size(); }
  size_t spilled() const { return runs_ ? runs_->size() : 0; }
  const PendingEntry& top() const { return heap_.top(); }
  size_t bytes() const { return heap_.bytes() + (runs_ ? runs_->bytes() : 0); }  // of memory

  void push(const PendingEntry& entry) { heap_.push(entry); }
  Status pop() {
    heap_.pop();
    return runs_ ? refill() : Status();
  }

  // Without order, until heapify(): to fill it at once. Between them only spill() and what counts may be called.
  void append(const PendingEntry& entry) { heap_.append(entry); }
  void heapify() { heap_.heapify(); }

  // Drops the entries that `wanted` says no to. After an error some on disk may still be there, and are left alone
  // until there are twice as many.
  template <class Wanted>
  Status filter(const Wanted& wanted) {
    heap_.filter(wanted);
    if (!runs_) return {};
    const Status filtered = runs_->filter(wanted);
    const Status refilled = refill();
    return filtered ? refilled : filtered;
  }

  // The same of a few of those in memory, some that `random` says.
  template <class Wanted>
  Status sweep(uint64_t random, const Wanted& wanted) {
    constexpr size_t kAtOnce = 8;
    if (!heap_.empty()) heap_.sweep(random % heap_.size(), kAtOnce, wanted);
    return runs_ ? refill() : Status();
  }

  // Visits all entries, in no particular order, up to the first that can't be read.
  template <class Visit>
  Status for_each(const Visit& visit) const {
    for (const PendingEntry& entry : heap_.entries()) visit(entry);
    return runs_ ? runs_->for_each(visit) : Status();
  }

  void clear() {
    heap_.clear();
    runs_.reset();
  }

  // Leaves the best `keep` of the entries in memory there, at least one, and writes the others to disk, always to the
  // same file. An error loses no entry: what could not be written stays in memory.
  Status spill(SpillFile& file, size_t keep);

 private:
  // Reads chunks until the heap's top is the best entry again.
  Status refill();

  PendingHeap heap_;
  std::unique_ptr<SpilledRuns> runs_;  // null: nothing is on disk
};
static_assert(sizeof(PendingQueue) <= sizeof(PendingHeap) + sizeof(void*));

}  // namespace aduana
