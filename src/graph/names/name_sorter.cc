#include "graph/names/name_sorter.h"

#include <algorithm>
#include <iterator>

namespace aduana {
namespace {

constexpr uint64_t kLeastMemory = 1 << 10;
constexpr size_t kLeastBlock = 256;
constexpr size_t kMostBlock = 1 << 20;
constexpr size_t kMostFanIn = 64;  // each run is an open file

}  // namespace

Result<NameSorter> NameSorter::make(const UrlTableOptions& options) {
  UrlTableOptions enough = options;
  enough.memory_bytes = std::max(options.memory_bytes, kLeastMemory);
  ADUANA_ASSIGN(NameChunk chunk, NameChunk::make(enough.memory_bytes));
  return NameSorter(enough, std::move(chunk));
}

NameSorter::NameSorter(const UrlTableOptions& options, NameChunk chunk)
    : options_(options),
      block_bytes_(std::clamp<size_t>(options.memory_bytes / (kMostFanIn + 1), kLeastBlock, kMostBlock)),
      fan_in_(std::clamp<size_t>(options.memory_bytes / block_bytes_ - 1, 2, kMostFanIn)),
      chunk_(std::move(chunk)) {}

Status NameSorter::add(std::string_view key) {
  const Node node = size_++;
  if (chunk_.add(key, node)) return {};
  ADUANA_TRY(spill());
  if (chunk_.add(key, node)) return {};
  // Longer than all the memory: a run of its own.
  ADUANA_ASSIGN(NameRunWriter out, begin_run());
  ADUANA_TRY(out.add(key, node));
  ADUANA_ASSIGN(NameRun run, out.finish());
  return add_run(std::move(run));
}

Result<NameRunWriter> NameSorter::begin_run() const {
  return NameRunWriter::create(*options_.files, options_.scratch_folder, block_bytes_);
}

Status NameSorter::spill() {
  if (chunk_.empty()) return {};
  chunk_.sort();
  ADUANA_ASSIGN(NameRunWriter out, begin_run());
  ADUANA_TRY(chunk_.for_each([&](std::string_view key, Node node) { return out.add(key, node); }));
  ADUANA_ASSIGN(NameRun run, out.finish());
  ADUANA_TRY(chunk_.clear());
  return add_run(std::move(run));
}

Status NameSorter::add_run(NameRun run) {
  for (size_t level = 0;; ++level) {
    if (level == levels_.size()) levels_.emplace_back();
    levels_[level].push_back(std::move(run));
    if (levels_[level].size() < fan_in_) return {};
    ADUANA_ASSIGN(run, merge(levels_[level]));
    levels_[level].clear();
  }
}

Result<NameRun> NameSorter::merge(std::span<const NameRun> runs) const {
  ADUANA_ASSIGN(NameRunWriter out, begin_run());
  std::vector<NameRunReader> readers(runs.begin(), runs.end());
  std::vector<NameRunReader*> heap;  // the one with the first key on top
  const auto later = [](const NameRunReader* a, const NameRunReader* b) {
    const int order = a->key().compare(b->key());
    return order != 0 ? order > 0 : a->node() > b->node();
  };
  const auto push = [&](NameRunReader* reader) -> Status {
    ADUANA_ASSIGN(const bool more, reader->next());
    if (!more) return {};
    heap.push_back(reader);
    std::push_heap(heap.begin(), heap.end(), later);
    return {};
  };
  for (NameRunReader& reader : readers) ADUANA_TRY(push(&reader));
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    NameRunReader* const first = heap.back();
    heap.pop_back();
    ADUANA_TRY(out.add(first->key(), first->node()));
    ADUANA_TRY(push(first));
  }
  return out.finish();
}

// The short runs first.
Result<NameRun> NameSorter::merge_all() {
  std::vector<NameRun> runs;
  for (std::vector<NameRun>& level : levels_) std::move(level.begin(), level.end(), std::back_inserter(runs));
  levels_.clear();
  while (runs.size() > 1) {
    const auto end = runs.begin() + static_cast<ptrdiff_t>(std::min(runs.size(), fan_in_));
    ADUANA_ASSIGN(NameRun merged, merge({runs.begin(), end}));
    runs.erase(runs.begin(), end);
    runs.push_back(std::move(merged));
  }
  return std::move(runs.front());
}

Result<SortedNames> NameSorter::finish(uint64_t bytes_besides) {
  if (levels_.empty() && (size_ == 0 || chunk_.bytes() + size_ * bytes_besides <= options_.memory_bytes)) {
    chunk_.sort();
    return SortedNames(std::move(chunk_), size_);
  }
  ADUANA_TRY(spill());
  ADUANA_ASSIGN(NameRun run, merge_all());
  return SortedNames(std::move(run), size_);
}

}  // namespace aduana
