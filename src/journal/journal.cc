#include "journal/journal.h"

#include <fmt/format.h>

#include <algorithm>

namespace aduana {

Journal::Journal(FileSystem& fs, std::string dir, const JournalOptions& options)
    : fs_(fs), dir_(std::move(dir)), options_(options) {}

Journal::~Journal() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  if (syncer_.joinable()) syncer_.join();
}

std::string Journal::path_of(Lsn first_lsn) const { return join_path(dir_, segment_name(first_lsn)); }

Result<std::unique_ptr<Journal>> Journal::open(FileSystem& fs, const std::string& dir, const JournalOptions& options,
                                               Lsn replay_from, const Replay& replay) {
  std::unique_ptr<Journal> journal(new Journal(fs, dir, options));
  if (!options.read_only) ADUANA_TRY(fs.create_dirs(dir));
  ADUANA_ASSIGN(const auto names, fs.list(dir));
  for (const auto& name : names) {
    if (Lsn first = segment_first_lsn(name)) journal->segments_.push_back({first, 0});
  }
  auto& segments = journal->segments_;
  ADUANA_ASSIGN(const size_t unsettled, journal->first_unsettled());
  if (!options.read_only && !segments.empty()) {
    // What is replayed may be checkpointed while the replay goes on, so it must be durable first.
    ADUANA_TRY(journal->secure_from(unsettled, replay_from));
  }
  bool torn = false;
  size_t last = segments.empty() ? 0 : segments.size() - 1;  // that counts
  uint64_t good_bytes = 0;
  Lsn next = replay_from;
  if (segments.empty() && replay_from > 1) {
    return Error(Code::corrupt,
                 fmt::format("{}: no journal is here, though the checkpoint is at event {}; restore the folder from a "
                             "copy, or run `aduana db rebuild` to go on from the checkpoint",
                             dir, replay_from - 1));
  }
  if (!segments.empty()) {
    if (segments.front().first_lsn > replay_from) {
      return Error(Code::corrupt, fmt::format("{}: events {} to {} are missing: the journal begins at {}", dir,
                                              replay_from, segments.front().first_lsn - 1, segments.front().first_lsn));
    }
    for (size_t i = 0; i <= last; ++i) {
      const std::string path = journal->path_of(segments[i].first_lsn);
      if (i < last && segments[i + 1].first_lsn <= replay_from) {
        ADUANA_ASSIGN(auto file, fs.open(path, OpenMode::read));
        ADUANA_ASSIGN(segments[i].bytes, file->size());
        continue;
      }
      ADUANA_ASSIGN(const auto scan,
                    scan_segment(fs, path, segments[i].first_lsn, i < unsettled, [&](const Frame& frame) {
                      if (frame.first_lsn + frame.events <= replay_from) return Status{};
                      return replay(frame);
                    }));
      const bool follows = i < last && scan.next_lsn == segments[i + 1].first_lsn && !scan.torn;
      if (i < unsettled && !follows) {
        return Error(Code::corrupt, fmt::format("{}: events {} to {} are missing behind this segment", path,
                                                scan.next_lsn, segments[i + 1].first_lsn - 1));
      }
      segments[i].bytes = good_bytes = scan.good_bytes;
      torn = scan.torn;
      next = scan.next_lsn;
      // A power cut lost the end of this one: what is behind it was not durable either, and does not count.
      if (!follows) last = i;
    }
  }
  if (next < replay_from) {
    return Error(Code::corrupt,
                 fmt::format("{}: damaged at offset {}, or the segment behind it is missing: the journal can be read "
                             "up to event {} only, but the checkpoint "
                             "contains event {}; restore the file from a copy, or run `aduana db rebuild`",
                             journal->path_of(segments[last].first_lsn), good_bytes, next - 1, replay_from - 1));
  }
  journal->next_lsn_ = next;
  journal->durable_lsn_ = next - 1;
  if (options.read_only) return journal;

  // One without a header never held anything that counts.
  const size_t counting = segments.empty() ? 0 : good_bytes < kSegmentHeaderBytes ? last : last + 1;
  while (segments.size() > counting) {
    ADUANA_TRY(fs.remove(journal->path_of(segments.back().first_lsn)));
    ADUANA_TRY(fs.sync_dir(dir));
    segments.pop_back();
  }
  if (segments.empty() || good_bytes < kSegmentHeaderBytes) {
    ADUANA_TRY(journal->start_segment());
    ADUANA_TRY(journal->settle_new_segment());
  } else {
    ADUANA_ASSIGN(journal->file_, fs.open(journal->path_of(segments.back().first_lsn), OpenMode::write));
    if (torn) ADUANA_TRY(journal->file_->truncate(good_bytes));
    // What was found is the truth from now on: it must not change again, nor a cut tail come back, in the next crash.
    ADUANA_TRY(journal->file_->sync());
    journal->durable_bytes_ = journal->claimed_bytes_ = good_bytes;
  }
  if (options.background && options.durability == Durability::interval) {
    journal->syncer_ = std::thread([j = journal.get()] { j->sync_now_and_then(); });
  }
  return journal;
}

Result<size_t> Journal::first_unsettled() const {
  for (size_t i = segments_.size(); i-- > 1;) {
    ADUANA_ASSIGN(const bool knows, knows_of_durable(fs_, path_of(segments_[i].first_lsn)));
    if (knows) return i;
  }
  return size_t{0};
}

Status Journal::secure_from(size_t segment, Lsn replay_from) {
  for (size_t i = segment; i < segments_.size(); ++i) {
    if (i + 1 < segments_.size() && segments_[i + 1].first_lsn <= replay_from) continue;
    const Lsn first = segments_[i].first_lsn;
    const std::string path = path_of(first);
    ADUANA_ASSIGN(const auto scan, scan_segment(fs_, path, first, false, [](const Frame&) { return Status{}; }));
    ADUANA_ASSIGN(auto file, fs_.open(path, OpenMode::write));
    if (scan.good_bytes > scan.durable) {
      std::string tail(scan.good_bytes - scan.durable, '\0');
      ADUANA_ASSIGN(const size_t n, file->read_at(scan.durable, tail.data(), tail.size()));
      if (n != tail.size()) return Error(Code::io, path + ": changed while it was read");
      ADUANA_TRY(file->write_at(scan.durable, tail));
    }
    ADUANA_TRY(file->sync());
  }
  return fs_.sync_dir(dir_);  // the process may have died before it got to that
}

Status Journal::start_segment() {
  const std::string path = path_of(next_lsn_);
  ADUANA_ASSIGN(std::shared_ptr<File> file, fs_.open(path, OpenMode::create_empty));
  const std::string header = segment_header(next_lsn_);
  if (Status made = file->write_at(0, header); !made) {
    (void)fs_.remove(path);
    return made;
  }
  if (file_) unsynced_.push_back(std::move(file_));
  file_ = std::move(file);
  segments_.push_back({next_lsn_, header.size()});
  durable_bytes_ = claimed_bytes_ = 0;
  new_names_ = true;
  return {};
}

// The end of the old segment is synced when the beginning of the new one is: nobody has to wait here for a disk that is
// busy. Only when nobody will sync soon, or syncs have fallen far behind, it is done at once.
Status Journal::roll(std::unique_lock<std::mutex>& lock) {
  constexpr size_t kMostUnsynced = 4;
  while (segments_.back().bytes >= options_.segment_bytes) {
    if (options_.durability != Durability::none && unsynced_.size() < kMostUnsynced) return start_segment();
    // While the sync runs without the lock, others may append, or begin a segment.
    ADUANA_TRY(sync_through(lock));
    const bool whole = durable_lsn_ + 1 == next_lsn_;
    if (whole && segments_.back().bytes >= options_.segment_bytes) {
      ADUANA_TRY(start_segment());
      const Status settled = settle_new_segment();
      if (!settled) failure_ = settled.error();
      return settled;
    }
  }
  return {};
}

Status Journal::settle_new_segment() {
  // The one before it may have got a frame without events since its last sync.
  for (const auto& file : unsynced_) ADUANA_TRY(file->sync());
  ADUANA_TRY(file_->sync());
  ADUANA_TRY(fs_.sync_dir(dir_));
  unsynced_.clear();
  new_names_ = false;
  durable_bytes_ = claimed_bytes_ = segments_.back().bytes;
  return {};
}

Result<Lsn> Journal::append(std::string& frame, uint32_t events) {
  std::unique_lock lock(mutex_);
  if (options_.read_only) return Error(Code::unsupported, dir_ + ": opened for reading only");
  if (failure_) return *failure_;
  if (frame.size() - kFrameHeaderBytes > kMaxFramePayload) {
    return Error(Code::too_large, fmt::format("a report of {} bytes is over the {} bytes that one journal frame holds; "
                                              "split it",
                                              frame.size() - kFrameHeaderBytes, kMaxFramePayload));
  }
  ADUANA_TRY(roll(lock));
  ADUANA_TRY(write_frame(frame, events));
  return next_lsn_ - 1;
}

Status Journal::write_frame(std::string& frame, uint32_t events) {
  const uint64_t at = segments_.back().bytes;
  finish_frame(frame, next_lsn_, events, durable_bytes_);
  if (Status written = file_->write_at(at, frame); !written) {
    // Nobody was told of this frame; take back what there is of it, so that the next one stands in its place.
    if (Status cut = file_->truncate(at); !cut || written.error().code() != Code::no_space) failure_ = written.error();
    return written.error();
  }
  segments_.back().bytes += frame.size();
  next_lsn_ += events;
  claimed_bytes_ = durable_bytes_;
  return {};
}

Status Journal::wait(Lsn lsn) {
  if (options_.durability != Durability::always) return {};
  std::unique_lock lock(mutex_);
  return wait_durable(lock, std::min(lsn, next_lsn_ - 1));
}

Status Journal::sync() {
  std::unique_lock lock(mutex_);
  return wait_durable(lock, next_lsn_ - 1);
}

Status Journal::wait_durable(std::unique_lock<std::mutex>& lock, Lsn lsn) {
  while (durable_lsn_ < lsn) {
    if (failure_) return *failure_;
    if (syncing_) {
      synced_.wait(lock);
    } else {
      ADUANA_TRY(sync_through(lock));
    }
  }
  return {};
}

Status Journal::sync_through(std::unique_lock<std::mutex>& lock) {
  while (syncing_) synced_.wait(lock);
  if (failure_) return *failure_;
  const Lsn target = next_lsn_ - 1;
  if (durable_lsn_ >= target) return {};
  const uint64_t target_bytes = segments_.back().bytes;
  const Lsn segment = segments_.back().first_lsn;
  std::vector<std::shared_ptr<File>> files = std::exchange(unsynced_, {});
  files.push_back(file_);
  const bool names = std::exchange(new_names_, false);
  syncing_ = true;
  lock.unlock();
  Status done;
  for (size_t i = 0; i < files.size() && done; ++i) done = files[i]->sync();
  if (done && names) done = fs_.sync_dir(dir_);
  lock.lock();
  syncing_ = false;
  if (done) {
    durable_lsn_ = std::max(durable_lsn_, target);
    if (segments_.back().first_lsn == segment) {
      durable_bytes_ = target_bytes;
      if (files.size() > 1) claim_durable();
    }
  } else {
    failure_ = done.error().within("syncing the journal; changes are refused until the store is opened again");
  }
  synced_.notify_all();
  return failure_ ? Status(*failure_) : Status{};
}

// A frame that tells what is durable, if none follows by itself: from now on damage before it can be told from a torn
// tail. Without it only that is lost.
void Journal::claim_durable() {
  std::string frame(kFrameHeaderBytes, '\0');
  (void)write_frame(frame, 0);
}

void Journal::sync_now_and_then() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, options_.sync_interval, [&] { return stopping_; })) {
    if (durable_lsn_ + 1 < next_lsn_ && !failure_) {
      (void)sync_through(lock);  // the failure is kept for the next append
    } else if (claimed_bytes_ < durable_bytes_ && !failure_) {
      claim_durable();
    }
  }
}

Status Journal::check(const std::function<void(const Error&)>& problem) const {
  std::vector<Segment> segments;
  {
    std::lock_guard lock(mutex_);
    segments = segments_;
  }
  for (size_t i = 0; i < segments.size(); ++i) {
    const bool is_last = i + 1 == segments.size();
    const auto scan = scan_segment(fs_, path_of(segments[i].first_lsn), segments[i].first_lsn, !is_last,
                                   [](const Frame&) { return Status{}; });
    if (segments[i].first_lsn < first_lsn()) continue;  // cut off meanwhile
    if (!scan) {
      problem(scan.error());
    } else if (!is_last && scan->next_lsn != segments[i + 1].first_lsn) {
      problem(
          Error(Code::corrupt, fmt::format("{}: events {} to {} are missing behind it", path_of(segments[i].first_lsn),
                                           scan->next_lsn, segments[i + 1].first_lsn - 1)));
    }
  }
  return {};
}

Status Journal::truncate(Lsn lsn, uint64_t keep_bytes) {
  if (options_.read_only) return Error(Code::unsupported, dir_ + ": opened for reading only");
  std::vector<Lsn> removable;
  {
    std::lock_guard lock(mutex_);
    uint64_t behind = 0;
    for (size_t i = 0; i + 1 < segments_.size() && segments_[i + 1].first_lsn <= lsn + 1; ++i)
      behind += segments_[i].bytes;
    while (segments_.size() > 1 && segments_[1].first_lsn <= lsn + 1 &&
           behind - segments_.front().bytes >= keep_bytes) {
      behind -= segments_.front().bytes;
      removable.push_back(segments_.front().first_lsn);
      segments_.erase(segments_.begin());
    }
  }
  // Without the lock, for appends go on; and one by one, for a power cut must not leave a hole.
  for (const Lsn first : removable) {
    const Status removed = fs_.remove(path_of(first));
    if (!removed && removed.error().code() != Code::not_found) return removed;
    ADUANA_TRY(fs_.sync_dir(dir_));
  }
  return {};
}

Lsn Journal::last_lsn() const {
  std::lock_guard lock(mutex_);
  return next_lsn_ - 1;
}

Lsn Journal::first_lsn() const {
  std::lock_guard lock(mutex_);
  return segments_.empty() ? next_lsn_ : segments_.front().first_lsn;
}

uint64_t Journal::bytes() const {
  std::lock_guard lock(mutex_);
  uint64_t sum = 0;
  for (const auto& segment : segments_) sum += segment.bytes;
  return sum;
}

Status Journal::health() const {
  std::lock_guard lock(mutex_);
  return failure_ ? Status(*failure_) : Status{};
}

}  // namespace aduana
