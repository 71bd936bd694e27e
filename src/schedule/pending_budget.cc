#include "schedule/pending_budget.h"

namespace aduana {

Status PendingBudget::settle(PendingQueue& queue, size_t bytes_before) {
  bytes_ += queue.bytes() - bytes_before;
  if (!open_file_) return {};
  const size_t most = bytes_ > options_.bytes ? options_.floor : options_.ceiling;
  if (queue.in_memory() < most || bytes_ < retry_at_) return {};
  const size_t bytes_now = queue.bytes();
  const Status spilled = spill(queue);
  bytes_ += queue.bytes() - bytes_now;
  retry_at_ = spilled ? 0 : bytes_ + options_.bytes / 8;
  return spilled;
}

Status PendingBudget::spill(PendingQueue& queue) {
  if (!file_) {
    ADUANA_ASSIGN(file_, open_file_());
  }
  return queue.spill(*file_, options_.floor / 2);
}

}  // namespace aduana
