#include "schedule/pending_queue.h"

#include <algorithm>

namespace aduana {

Status PendingQueue::spill(SpillFile& file, size_t keep) {
  keep = std::max<size_t>(keep, 1);
  if (heap_.size() <= keep) return {};
  heap_.sort();  // which leaves it a heap
  if (!runs_) runs_ = std::make_unique<SpilledRuns>(file);
  if (Status added = runs_->add(std::span(heap_.entries()).subspan(keep)); !added) {
    if (runs_->empty()) runs_.reset();
    return added;
  }
  heap_.keep_first(keep);
  return runs_->merge();
}

Status PendingQueue::refill() {
  Status status;
  std::vector<PendingEntry> chunk;
  while (!runs_->empty() && (heap_.empty() || runs_->next() < heap_.top())) {
    if (Status taken = runs_->take(chunk); !taken && status) status = taken;
    for (const PendingEntry& entry : chunk) heap_.push(entry);
  }
  if (runs_->empty()) runs_.reset();
  return status;
}

}  // namespace aduana
