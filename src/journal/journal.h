// The journal: the one truth of a store. Every change is an event appended here; all else is derived from it.
//
// Invariant: after a crash or a power cut the journal holds a prefix of what was appended, and that prefix contains all
// that had been acknowledged under the chosen durability. append() hands the bytes to the operating system before it
// returns, so that the death of the process alone loses nothing, whatever the durability; a power cut is survived by
// what was synced: `always` waits for that (many waiting threads share one sync), `interval` syncs in the background
// every 100 ms, `none` leaves it to the system.
// Thread-safe. After a failed sync nothing more is accepted: the fate of the unsynced bytes is unknown until the store
// is opened again. A full disk refuses the append and leaves everything as it was; it may be tried again.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "aduana/durability.h"
#include "aduana/time.h"
#include "base/file.h"
#include "journal/segment.h"

namespace aduana {

struct JournalOptions {
  Durability durability = Durability::interval;
  Millis sync_interval{100};
  uint64_t segment_bytes = 16 << 20;
  bool background = true;  // false: no thread; `interval` then syncs only when told to
  bool read_only = false;  // a torn tail is passed over, not cut off; nothing can be appended
};

class Journal {
 public:
  // Called for every frame from `replay_from` on, in order; a frame that holds older events too is handed out whole.
  using Replay = FrameVisitor;

  // Opens the journal in `dir`, which may be empty. `replay_from` is the first LSN of interest: segments that hold only
  // older events are not read. Code::corrupt if events from `replay_from` on are missing or damaged.
  static Result<std::unique_ptr<Journal>> open(FileSystem& fs, const std::string& dir, const JournalOptions& options,
                                               Lsn replay_from, const Replay& replay);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Appends `events` events in one frame. `frame` starts with kFrameHeaderBytes of room for the header.
  // Returns the LSN of the last of them.
  Result<Lsn> append(std::string& frame, uint32_t events);

  // Returns when everything up to `lsn` is acknowledged under the chosen durability.
  Status wait(Lsn lsn);

  // Makes everything appended so far durable.
  Status sync();

  // Removes the segments that hold only events up to `lsn` (which a checkpoint contains), but keeps the newest
  // `keep_bytes` of them.
  Status truncate(Lsn lsn, uint64_t keep_bytes);

  // Reads all segments: every frame, and that none is missing.
  Status check(const std::function<void(const Error&)>& problem) const;

  Lsn last_lsn() const;
  Lsn first_lsn() const;  // the oldest event that is still here; last_lsn() + 1 if there is none
  uint64_t bytes() const;
  // The error that stopped the journal, if one did.
  Status health() const;

 private:
  struct Segment {
    Lsn first_lsn;
    uint64_t bytes;
  };

  Journal(FileSystem& fs, std::string dir, const JournalOptions& options);
  std::string path_of(Lsn first_lsn) const;
  // The first segment that may not be whole on the disk, because no frame behind it knows that it is.
  Result<size_t> first_unsettled() const;
  // What the segments from this one on hold may be in the system's memory only, even after a sync, if that follows a
  // failed one: writes the tails that no frame knows to be durable again, syncs them, and makes the names durable.
  Status secure_from(size_t segment, Lsn replay_from);
  // Begins a new segment without waiting for anything to become durable. mutex_ held.
  Status start_segment();
  // Makes it durable, and what is before it. mutex_ held.
  Status settle_new_segment();
  Status roll(std::unique_lock<std::mutex>& lock);          // mutex_ held
  Status write_frame(std::string& frame, uint32_t events);  // behind the last one; mutex_ held
  Status sync_through(std::unique_lock<std::mutex>& lock);  // mutex_ held at call and return, not in between
  Status wait_durable(std::unique_lock<std::mutex>& lock, Lsn lsn);
  void claim_durable();  // mutex_ held
  void sync_now_and_then();

  FileSystem& fs_;
  const std::string dir_;
  const JournalOptions options_;

  mutable std::mutex mutex_;
  std::condition_variable synced_;
  std::vector<Segment> segments_;                // the last one is being written
  std::shared_ptr<File> file_;                   // of the last one; shared with a sync that runs without the lock
  std::vector<std::shared_ptr<File>> unsynced_;  // of earlier ones whose ends may not be durable
  bool new_names_ = false;                       // of files in the folder, not durable yet
  Lsn next_lsn_ = 1;
  Lsn durable_lsn_ = 0;
  uint64_t durable_bytes_ = 0;  // of the last segment; 0 while an earlier one is not durable to its end
  uint64_t claimed_bytes_ = 0;  // of them, those that a frame tells of
  bool syncing_ = false;
  bool stopping_ = false;
  std::optional<Error> failure_;
  std::condition_variable stop_;
  std::thread syncer_;
};

}  // namespace aduana
