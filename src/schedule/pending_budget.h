// How much memory the pending pages of all queues may take, and who makes room when it is more.
//
// The queue that changed last does: if all together are over the budget and it has `floor` entries or more in memory,
// it spills all but the better half of a floor. No other queue is looked for, so this costs nothing, and queues may
// come and go. It follows that all together take no more than the budget and what queues below the floor take; and as
// large queues change often, that is about the larger of the budget and queues × floor.
//
// A queue of `ceiling` entries spills even when there is room. Spilling sorts all that the queue has in memory, a
// million entries in a tenth of a second: without a ceiling a single large queue would make its owner wait for seconds.
// It does not make such a queue slower: sorted runs beat a heap that is larger than the processor's caches.
//
// The file is made when something is to be spilled for the first time. Not thread-safe; must outlive the queues.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "schedule/pending_queue.h"

namespace aduana {

struct PendingBudgetOptions {
  size_t bytes = size_t{256} << 20;
  size_t floor = 2 * SpillFile::kChunkEntries;  // entries in memory
  size_t ceiling = size_t{1} << 20;             // entries in memory
};

class PendingBudget {
 public:
  using OpenFile = std::function<Result<std::unique_ptr<SpillFile>>()>;

  // Without `open_file` nothing is spilled, only counted.
  PendingBudget(const PendingBudgetOptions& options, OpenFile open_file)
      : options_(options), open_file_(std::move(open_file)) {}

  size_t bytes() const { return bytes_; }  // of all queues
  size_t chunks() const { return file_ ? file_->chunks() : 0; }
  // The error by which spilled pages are missing, if there was one.
  Status health() const { return file_ && file_->failure() ? Status(*file_->failure()) : Status(); }

  // To be called after every change of a queue, with its bytes() before that. An error says that room could not be
  // made; nothing is lost, and it is tried again when there is an eighth of the budget more.
  Status settle(PendingQueue& queue, size_t bytes_before);

 private:
  Status spill(PendingQueue& queue);

  const PendingBudgetOptions options_;
  const OpenFile open_file_;
  std::unique_ptr<SpillFile> file_;
  size_t bytes_ = 0;
  size_t retry_at_ = 0;  // bytes; 0 unless the last spill failed
};

}  // namespace aduana
