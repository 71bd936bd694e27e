#include "pages/url_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace aduana {

UrlIndex::UrlIndex(FileSystem& fs, std::string dir, const IndexOptions& options)
    : fs_(fs),
      dir_(std::move(dir)),
      options_(options),
      cache_(options.cache_bytes),
      active_(std::make_shared<Memtable>(options.memtable_entries, PageIdx{0})),
      version_(std::make_shared<Version>()) {
  if (options.direct_reads) reader_ = std::make_unique<BlockReader>();
}

UrlIndex::~UrlIndex() { stop(); }

void UrlIndex::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
}

std::string UrlIndex::path_of(const std::string& dir, uint64_t number) {
  return join_path(dir, fmt::format("run-{:08x}.idx", number));
}

Result<std::unique_ptr<UrlIndex>> UrlIndex::open(FileSystem& fs, const std::string& dir, const IndexOptions& options,
                                                 const State& state) {
  std::unique_ptr<UrlIndex> index(new UrlIndex(fs, dir, options));
  auto version = std::make_shared<Version>();
  PageIdx end{0};
  for (const auto& [number, level] : state) {
    ADUANA_ASSIGN(auto run, Run::open(fs, path_of(dir, number), options.direct_reads));
    if (run->range().first != end) {
      return Error(Code::corrupt, fmt::format("{}: begins at page {}, not {}; run `aduana db rebuild`", run->path(),
                                              run->range().first.value, end.value));
    }
    end = run->range().end;
    version->runs.push_back({number, level, std::move(run)});
    index->next_number_ = std::max(index->next_number_, number + 1);
  }
  index->version_ = std::move(version);
  index->active_ = std::make_shared<Memtable>(options.memtable_entries, end);
  if (options.background && !options.read_only) index->worker_ = std::thread([i = index.get()] { i->work(); });
  return index;
}

std::shared_ptr<const UrlIndex::Version> UrlIndex::version() const {
  std::lock_guard lock(mutex_);
  return version_;
}

Status UrlIndex::lookup(std::span<const PageKey> keys, PageIdx* out) {
  const auto now = version();
  missing_.clear();
  // Everything is looked at in groups, so that the memory of the whole group is on its way before it is needed.
  constexpr size_t kGroup = 32;
  for (size_t begin = 0; begin < keys.size(); begin += kGroup) {
    const size_t end = std::min(begin + kGroup, keys.size());
    for (size_t i = begin; i < end; ++i) cache_.prefetch(keys[i]);
    const size_t first_missing = missing_.size();
    for (size_t i = begin; i < end; ++i) {
      out[i] = cache_.find(keys[i]);
      if (out[i] == kNoPage) {
        active_->prefetch(keys[i]);
        missing_.push_back(static_cast<uint32_t>(i));
      }
    }
    size_t kept = first_missing;
    for (size_t m = first_missing; m < missing_.size(); ++m) {
      const uint32_t i = missing_[m];
      PageIdx found = active_->find(keys[i]);
      for (size_t s = now->sealed.size(); found == kNoPage && s-- > 0;) found = now->sealed[s]->find(keys[i]);
      if (found == kNoPage) {
        missing_[kept++] = i;
      } else {
        out[i] = found;
        cache_.insert(keys[i], found);
      }
    }
    missing_.resize(kept);
  }
  if (now->runs.empty() || missing_.empty()) return {};
  return reader_ ? search_runs_direct(*now, keys, missing_, out) : search_runs(*now, keys, missing_, out);
}

Status UrlIndex::search_runs(const Version& version, std::span<const PageKey> keys, std::vector<uint32_t>& missing,
                             PageIdx* out) {
  constexpr size_t kGroup = 16;
  for (size_t begin = 0; begin < missing.size(); begin += kGroup) {
    uint32_t group[kGroup];
    size_t n = std::min(kGroup, missing.size() - begin);
    std::copy_n(&missing[begin], n, group);
    for (const LevelRun& level_run : version.runs) {
      const Run& run = *level_run.run;
      for (size_t g = 0; g < n; ++g) run.filter().prefetch(keys[group[g]]);
      size_t kept = 0;
      for (size_t g = 0; g < n; ++g) {
        const uint32_t i = group[g];
        if (run.filter().may_contain(keys[i])) {
          ADUANA_ASSIGN(out[i], run.find(keys[i]));
          if (out[i] != kNoPage) {
            cache_.insert(keys[i], out[i]);
            continue;
          }
        }
        group[kept++] = i;
      }
      n = kept;
      if (n == 0) break;
    }
  }
  return {};
}

Status UrlIndex::search_runs_direct(const Version& version, std::span<const PageKey> keys,
                                    std::vector<uint32_t>& missing, PageIdx* out) {
  struct Candidate {
    uint32_t run;
    uint64_t block;
    uint32_t key;
  };
  std::vector<Candidate> candidates;
  for (uint32_t r = 0; r < version.runs.size(); ++r) {
    const Run& run = *version.runs[r].run;
    for (uint32_t i : missing) {
      if (run.filter().may_contain(keys[i])) candidates.push_back({r, run.block_of(keys[i]), i});
    }
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return std::tie(a.run, a.block) < std::tie(b.run, b.block); });
  std::vector<BlockReader::Request> requests;
  for (const Candidate& c : candidates) {
    const Run* run = version.runs[c.run].run.get();
    if (requests.empty() || requests.back().run != run || requests.back().block != c.block) {
      requests.push_back({run, c.block});
    }
  }
  ADUANA_TRY(reader_->read(requests));
  size_t at = 0;
  for (const Candidate& c : candidates) {
    while (requests[at].run != version.runs[c.run].run.get() || requests[at].block != c.block) ++at;
    if (out[c.key] != kNoPage) continue;
    out[c.key] = Run::find_in_block(reader_->block(at), keys[c.key]);
    if (out[c.key] != kNoPage && cache_.find(keys[c.key]) == kNoPage) cache_.insert(keys[c.key], out[c.key]);
  }
  return {};
}

Status UrlIndex::admit() {
  std::unique_lock lock(mutex_);
  const auto too_many = [&] { return version_->sealed.size() >= options_.max_sealed; };
  if (!too_many()) return {};
  if (!options_.background) {
    lock.unlock();
    return maintain();
  }
  changed_.wait(lock, [&] { return !too_many() || failure_; });
  return too_many() ? Status(*failure_) : Status{};
}

void UrlIndex::insert(const PageKey& key, PageIdx idx) {
  if (active_->full()) seal();
  active_->insert(key);
  cache_.insert(key, idx);
}

void UrlIndex::seal() {
  {
    std::lock_guard lock(mutex_);
    auto next = std::make_shared<Version>(*version_);
    next->sealed.push_back(active_);
    version_ = std::move(next);
  }
  changed_.notify_all();
  active_ = std::make_shared<Memtable>(options_.memtable_entries, PageIdx{active_->first().value + active_->size()});
}

PageIdx UrlIndex::flushed_end() const {
  const auto now = version();
  return now->runs.empty() ? PageIdx{0} : now->runs.back().run->range().end;
}

UrlIndex::State UrlIndex::state() const {
  State state;
  for (const auto now = version(); const auto& run : now->runs) state.push_back({run.number, run.level});
  return state;
}

std::vector<std::string> UrlIndex::take_obsolete() {
  std::lock_guard lock(mutex_);
  return std::exchange(obsolete_, {});
}

void UrlIndex::work() {
  while (true) {
    std::unique_lock lock(mutex_);
    if (stopping_) return;
    lock.unlock();
    auto worked = flush_one();
    if (worked && !*worked) worked = merge_one();
    lock.lock();
    if (!worked) {
      // A full disk may have room later: what waits stays in memory and is tried again.
      failure_ = worked.error();
      changed_.notify_all();
      changed_.wait_for(lock, std::chrono::seconds(1), [&] { return stopping_; });
    } else {
      failure_.reset();
      if (!*worked) changed_.wait(lock, [&] { return stopping_ || !version_->sealed.empty(); });
    }
  }
}

Status UrlIndex::maintain() {
  while (true) {
    ADUANA_ASSIGN(const bool flushed, flush_one());
    if (flushed) continue;
    ADUANA_ASSIGN(const bool merged, merge_one());
    if (!merged) return {};
  }
}

Result<bool> UrlIndex::flush_one() {
  std::lock_guard flushing(flushing_);
  std::shared_ptr<const Memtable> table;
  uint64_t number;
  {
    std::lock_guard lock(mutex_);
    if (version_->sealed.empty()) return false;
    table = version_->sealed.front();
    number = next_number_++;
  }
  const std::string path = path_of(dir_, number);
  const auto entries = table->sorted();
  const auto write = [&]() -> Result<std::shared_ptr<Run>> {
    ADUANA_ASSIGN(auto writer,
                  RunWriter::create(fs_, path, {table->first(), PageIdx{table->first().value + entries.size()}}));
    for (const IndexEntry& entry : entries) ADUANA_TRY(writer->add(entry));
    ADUANA_TRY(writer->finish());
    return Run::open(fs_, path, options_.direct_reads);
  };
  auto run = write();
  if (!run) return discard(path, run.error());
  {
    std::lock_guard lock(mutex_);
    auto next = std::make_shared<Version>(*version_);
    next->sealed.erase(next->sealed.begin());
    next->runs.push_back({number, 0, *std::move(run)});
    version_ = std::move(next);
  }
  changed_.notify_all();
  return true;
}

Result<bool> UrlIndex::merge_one() {
  std::lock_guard merging(merging_);
  const auto now = version();
  // Levels never rise from old to new, so the runs of one level are neighbours.
  for (size_t begin = 0, end; begin < now->runs.size(); begin = end) {
    end = begin + 1;
    while (end < now->runs.size() && now->runs[end].level == now->runs[begin].level) ++end;
    if (end - begin >= options_.fan_in) {
      ADUANA_TRY(merge(begin, begin + options_.fan_in, now->runs[begin].level + 1));
      return true;
    }
  }
  return false;
}

Status UrlIndex::merge_all() {
  ADUANA_TRY(maintain());
  std::lock_guard merging(merging_);
  const auto now = version();
  if (now->runs.size() < 2) return {};
  return merge(0, now->runs.size(), now->runs.front().level + 1);
}

namespace {

// The entries of one run in order, block by block.
class RunCursor {
 public:
  explicit RunCursor(const Run& run)
      : run_(&run),
        buffer_(static_cast<char*>(std::aligned_alloc(kRunBlockBytes, kRunBlockBytes)), [](void* p) { std::free(p); }) {
  }

  bool at_end() const { return at_ == entries_.size() && block_ == run_->blocks(); }
  const IndexEntry& entry() const { return entries_[at_]; }
  Status next() {
    if (at_ < entries_.size()) ++at_;
    if (at_ < entries_.size() || block_ == run_->blocks()) return {};
    ADUANA_TRY(run_->read_block(block_++, buffer_.get()));
    entries_.clear();
    at_ = 0;
    Run::decode_block({buffer_.get(), kRunBlockBytes}, entries_);
    return {};
  }

 private:
  const Run* run_;
  std::unique_ptr<char[], void (*)(void*)> buffer_;
  std::vector<IndexEntry> entries_;
  size_t at_ = 0;
  uint64_t block_ = 0;
};

}  // namespace

Error UrlIndex::discard(const std::string& path, const Error& error) {
  if (Status removed = fs_.remove(path); !removed && removed.error().code() != Code::not_found) {
    std::lock_guard lock(mutex_);
    obsolete_.push_back(path);
  }
  return error;
}

Result<std::shared_ptr<Run>> UrlIndex::write_merged(const std::string& path, const Version& from, size_t begin,
                                                    size_t end) {
  const RunRange range{from.runs[begin].run->range().first, from.runs[end - 1].run->range().end};
  ADUANA_ASSIGN(auto writer, RunWriter::create(fs_, path, range));
  std::vector<RunCursor> cursors;
  std::vector<size_t> heap;
  for (size_t i = begin; i < end; ++i) {
    cursors.emplace_back(*from.runs[i].run);
    ADUANA_TRY(cursors.back().next());
    if (!cursors.back().at_end()) heap.push_back(i - begin);
  }
  const auto later = [&](size_t a, size_t b) { return cursors[b].entry().key < cursors[a].entry().key; };
  std::make_heap(heap.begin(), heap.end(), later);
  for (uint64_t written = 0; !heap.empty(); ++written) {
    if (written % 4096 == 4095) {
      // A memtable that waits is written now, and a stop does not wait for a merge: it will be made again.
      {
        std::lock_guard lock(mutex_);
        if (stopping_) {
          (void)fs_.remove(path);
          return std::shared_ptr<Run>();
        }
      }
      ADUANA_TRY(flush_one());
    }
    std::pop_heap(heap.begin(), heap.end(), later);
    RunCursor& cursor = cursors[heap.back()];
    ADUANA_TRY(writer->add(cursor.entry()));
    ADUANA_TRY(cursor.next());
    if (cursor.at_end()) {
      heap.pop_back();
    } else {
      std::push_heap(heap.begin(), heap.end(), later);
    }
  }
  ADUANA_TRY(writer->finish());
  return Run::open(fs_, path, options_.direct_reads);
}

Status UrlIndex::merge(size_t begin, size_t end, uint32_t level) {
  const auto now = version();
  uint64_t number;
  {
    std::lock_guard lock(mutex_);
    number = next_number_++;
  }
  const std::string path = path_of(dir_, number);
  auto run = write_merged(path, *now, begin, end);
  if (!run) return discard(path, run.error());
  if (!*run) return {};
  std::lock_guard lock(mutex_);
  auto next = std::make_shared<Version>(*version_);  // flushes may have added runs behind
  for (size_t i = begin; i < end; ++i) obsolete_.push_back(next->runs[i].run->path());
  next->runs.erase(next->runs.begin() + static_cast<ptrdiff_t>(begin),
                   next->runs.begin() + static_cast<ptrdiff_t>(end));
  next->runs.insert(next->runs.begin() + static_cast<ptrdiff_t>(begin), {number, level, *std::move(run)});
  version_ = std::move(next);
  return {};
}

Status UrlIndex::check(const std::function<void(const IndexEntry&)>& visit) const {
  for (const auto now = version(); const auto& run : now->runs) ADUANA_TRY(run.run->check(visit));
  return {};
}

}  // namespace aduana
