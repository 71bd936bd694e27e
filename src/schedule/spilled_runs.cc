#include "schedule/spilled_runs.h"

#include <algorithm>
#include <utility>

namespace aduana {
namespace {

constexpr size_t kMergedAtOnce = 8;
constexpr size_t kLongRun = kMergedAtOnce * kMergedAtOnce;  // chunks; such runs are not merged

// Goes over a run, one chunk in memory. It begins before the first entry.
class RunReader {
 public:
  RunReader(SpillFile& file, const SpilledRun& run) : file_(&file), run_(&run), unread_(run.size()) {}

  // False at the end.
  Result<bool> advance() {
    if (++at_ < entries_.size()) return true;
    if (unread_ == 0) return false;
    ADUANA_TRY(file_->read((*run_)[--unread_].number, entries_));
    at_ = 0;
    return true;
  }
  const PendingEntry& entry() const { return entries_[at_]; }

 private:
  SpillFile* file_;
  const SpilledRun* run_;
  size_t unread_;  // chunks
  std::vector<PendingEntry> entries_;
  size_t at_ = 0;
};

// Makes a run of entries that come in order; one that is not finished is let go.
class RunWriter {
 public:
  explicit RunWriter(SpillFile& file) : file_(file) {}
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;
  ~RunWriter() {
    for (const SpilledChunk& chunk : run_) file_.free(chunk.number);
  }

  Status write_chunk(std::span<const PendingEntry> entries) {
    ADUANA_ASSIGN(const uint32_t number, file_.write(entries));
    run_.push_back({number, entries.front()});
    return {};
  }

  Status put(const PendingEntry& entry) {
    waiting_.push_back(entry);
    return waiting_.size() < file_.chunk_entries() ? Status() : flush();
  }

  Result<SpilledRun> finish() {
    if (!waiting_.empty()) ADUANA_TRY(flush());
    std::reverse(run_.begin(), run_.end());
    run_.shrink_to_fit();
    return std::exchange(run_, {});
  }

 private:
  Status flush() {
    ADUANA_TRY(write_chunk(waiting_));
    waiting_.clear();
    return {};
  }

  SpillFile& file_;
  SpilledRun run_;  // the best chunk first, until it is finished
  std::vector<PendingEntry> waiting_;
};

// The wanted entries of all `inputs` as one run. The inputs stay.
Result<SpilledRun> rewritten(SpillFile& file, std::span<const SpilledRun> inputs, const SpilledRuns::Wanted& wanted) {
  std::vector<RunReader> readers;
  for (const SpilledRun& run : inputs) {
    readers.emplace_back(file, run);
    ADUANA_TRY(readers.back().advance());  // no run is empty
  }
  RunWriter writer(file);
  while (!readers.empty()) {
    const auto best = std::min_element(readers.begin(), readers.end(),
                                       [](const RunReader& a, const RunReader& b) { return a.entry() < b.entry(); });
    if (wanted(best->entry())) ADUANA_TRY(writer.put(best->entry()));
    ADUANA_ASSIGN(const bool more, best->advance());
    if (!more) readers.erase(best);
  }
  return writer.finish();
}

}  // namespace

SpilledRuns::~SpilledRuns() {
  for (const SpilledRun& run : runs_) discard(run);
}

Status SpilledRuns::add(std::span<const PendingEntry> sorted) {
  RunWriter writer(file_);
  while (!sorted.empty()) {
    const size_t n = std::min(sorted.size(), file_.chunk_entries());
    ADUANA_TRY(writer.write_chunk(sorted.first(n)));
    sorted = sorted.subspan(n);
  }
  ADUANA_ASSIGN(SpilledRun run, writer.finish());
  count(run);
  runs_.push_back(std::move(run));
  find_best();
  return {};
}

Status SpilledRuns::take(std::vector<PendingEntry>& out) {
  SpilledRun& run = runs_[best_];
  Status read = file_.read(run.back().number, out);
  discard({run.back()});
  run.pop_back();
  if (run.empty()) runs_.erase(runs_.begin() + static_cast<ptrdiff_t>(best_));
  find_best();
  return read;
}

Status SpilledRuns::merge() {
  Status merged = merge_size(1, kMergedAtOnce);
  if (merged) merged = merge_size(kMergedAtOnce, kLongRun);
  find_best();
  return merged;
}

// Of runs with `from` chunks or more, but less than `until`.
Status SpilledRuns::merge_size(size_t from, size_t until) {
  while (true) {
    const auto inputs = std::partition(runs_.begin(), runs_.end(),
                                       [&](const SpilledRun& run) { return run.size() < from || run.size() >= until; });
    if (static_cast<size_t>(runs_.end() - inputs) < kMergedAtOnce) return {};
    const auto end = inputs + kMergedAtOnce;
    ADUANA_ASSIGN(SpilledRun merged, rewritten(file_, {inputs, end}, [](const PendingEntry&) { return true; }));
    std::for_each(inputs, end, [&](const SpilledRun& run) { discard(run); });
    runs_.erase(inputs, end);
    count(merged);
    runs_.push_back(std::move(merged));
  }
}

Status SpilledRuns::filter(const Wanted& wanted) {
  Status status;
  if (size_ < retry_filter_at_) return status;
  for (SpilledRun& run : runs_) {
    auto left = rewritten(file_, {&run, 1}, wanted);
    if (!left) {
      status = left.error();
      break;
    }
    discard(run);
    count(*left);
    run = *std::move(left);
  }
  std::erase_if(runs_, [](const SpilledRun& run) { return run.empty(); });
  find_best();
  retry_filter_at_ = status ? 0 : 2 * size_;
  return status;
}

Status SpilledRuns::for_each(const std::function<void(const PendingEntry&)>& visit) const {
  std::vector<PendingEntry> entries;
  for (const SpilledRun& run : runs_) {
    for (const SpilledChunk& chunk : run) {
      ADUANA_TRY(file_.read(chunk.number, entries));
      for (const PendingEntry& entry : entries) visit(entry);
    }
  }
  return {};
}

void SpilledRuns::count(const SpilledRun& run) {
  for (const SpilledChunk& chunk : run) size_ += file_.entries_in(chunk.number);
  chunks_ += run.size();
}

void SpilledRuns::discard(const SpilledRun& run) {
  for (const SpilledChunk& chunk : run) {
    size_ -= file_.entries_in(chunk.number);
    file_.free(chunk.number);
  }
  chunks_ -= run.size();
}

void SpilledRuns::find_best() {
  const auto best = std::min_element(runs_.begin(), runs_.end(), [](const SpilledRun& a, const SpilledRun& b) {
    return a.back().first < b.back().first;
  });
  best_ = static_cast<size_t>(best - runs_.begin());
}

}  // namespace aduana
