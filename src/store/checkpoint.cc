// Checkpoints and what else goes on behind the reports: write the state out, cut the journal, reclaim space, close.

#include <fmt/format.h>

#include <algorithm>

#include "store/chunk_backup.h"
#include "store/store.h"

namespace aduana {
namespace {

constexpr double kReclaimShare = 0.5;  // a links segment is rewritten when this much of it is dead

constexpr size_t kUrlBlocksAtOnce = 32;  // are put in their places under one hold of the lock
constexpr size_t kUrlBlocksLeft = 16;    // may wait when a checkpoint is taken: they go into its manifest

}  // namespace

Status Store::checkpoint() {
  std::lock_guard checkpointing(checkpointing_);
  return checkpoint_locked();
}

// The order is what makes it safe; each step is durable before the next begins:
//   1. the journal up to the LSN of the checkpoint;
//   2. appended bytes, new chunks, and the backup of chunks to be written over: nothing that the old manifest knows
//   changes;
//   3. the manifest, atomically: from here on the new checkpoint is the one that opens;
//   4. chunks written in place; only then the backup and the files that nobody needs any more go, and the journal is
//   cut.
Status Store::checkpoint_locked() {
  ADUANA_TRY(compress_urls(options_.background ? kUrlBlocksLeft : 0));
  std::unique_lock lock(mutex_);
  ADUANA_TRY(writable());
  Manifest next = manifest_;
  ++next.generation;
  next.lsn = last_lsn();
  const uint64_t journaled = journaled_bytes_;
  const Pages::Checkpoint pages = pages_->begin_checkpoint();
  const ExtentLog::Flush links = links_->log().begin_flush();
  next.pages = pages.state;
  next.links = links_->state();
  if (options_.follower) next.follower = options_.follower->save();
  std::vector<std::string> obsolete_links = links_->take_obsolete();
  lock.unlock();

  const auto changes = Pages::changes_of(pages);
  const auto write_new = [&]() -> Status {
    if (journal_) ADUANA_TRY(journal_->sync());  // a frame that is replayed was made durable before
    ADUANA_TRY(pages_->write_out(pages));
    ADUANA_TRY(links_->log().write_out(links));
    ADUANA_TRY(write_backup(fs_, dir_, next.generation, {changes.begin(), changes.end()}));
    ADUANA_TRY(fs_.sync_dir(dir_));
    return write_file_atomically(fs_, manifest_path(dir_), next.encode());
  };
  const Status committed = write_new();
  Status in_place = committed;
  if (committed) {
    const auto arrays = pages_->arrays();
    for (size_t i = 0; i < arrays.size() && in_place; ++i)
      in_place = arrays[i]->write(*changes[i], changes[i]->rewritten);
  }

  lock.lock();
  if (!committed) {
    (void)pages_->end_checkpoint(pages, false, false);
    links_->put_back_obsolete(obsolete_links);
    return committed.error().within("checkpoint of " + dir_);
  }
  const uint64_t previous = manifest_.generation;
  manifest_ = std::move(next);
  journaled_bytes_ -= journaled;
  Status ended = pages_->end_checkpoint(pages, true, in_place.has_value());
  if (ended) ended = links_->log().end_flush(links);
  const uint64_t keep = manifest_.keep_journal ? UINT64_MAX : options_.retain_journal_bytes;
  const Lsn lsn = manifest_.lsn;
  lock.unlock();
  ADUANA_TRY(in_place);
  ADUANA_TRY(ended);

  // What follows only tidies up; opening does it again if it does not get done.
  for (const uint64_t generation : {previous, manifest_.generation}) {
    (void)fs_.remove(backup_path(dir_, generation));
  }
  for (const auto& file : pages.obsolete) (void)fs_.remove(file);
  for (const auto& file : obsolete_links) (void)fs_.remove(file);
  return journal_ ? journal_->truncate(lsn, keep) : Status{};
}

bool Store::checkpoint_due() const {
  const uint64_t least = options_.checkpoint_bytes;
  return journaled_bytes_ >= std::clamp(pages_->changed_bytes(), least, 8 * least);
}

void Store::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto due = [&] { return !failure_ && (checkpoint_due() || pages_->urls().waiting() >= kUrlBlocksDue); };
    wake_.wait(lock, [&] { return stopping_ || due(); });
    if (stopping_) return;
    const bool checkpoint_now = checkpoint_due();
    lock.unlock();
    Status done;
    if (checkpoint_now) {
      done = reclaim_links(kReclaimShare);
      if (done) done = checkpoint();
    } else {
      std::lock_guard checkpointing(checkpointing_);
      done = compress_urls(0);
    }
    lock.lock();
    // Nothing is lost: the journal has it all. A full disk may have room later.
    if (!done) wake_.wait_for(lock, std::chrono::seconds(1), [&] { return stopping_; });
  }
}

// Compresses waiting URL blocks until no more than `leave` are left. checkpointing_ held: only one may do this.
Status Store::compress_urls(size_t leave) {
  std::unique_lock lock(mutex_);
  std::vector<std::string> compressed;
  while (pages_->urls().waiting() > leave) {
    const auto blocks = pages_->urls().waiting(kUrlBlocksAtOnce);
    lock.unlock();
    compressed.clear();
    for (const auto& block : blocks) compressed.push_back(UrlLog::compress(*block));
    lock.lock();
    if (Status stored = pages_->urls().store_blocks(compressed); !stored) {
      failure_ = stored.error();
      return stored;
    }
  }
  return {};
}

Status Store::reclaim_links(double dead_share) {
  std::unique_lock lock(mutex_);
  const auto current = [&](PageIdx page) -> Result<ExtentAddress> {
    ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
    if (!record.detail) return ExtentAddress{0};
    ADUANA_ASSIGN(const DetailRecord detail, pages_->detail(record.detail - 1));
    return detail.links;
  };
  const auto moved = [&](PageIdx page, ExtentAddress address) -> Status {
    ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
    ADUANA_ASSIGN(const DetailRecord before, pages_->detail(record.detail - 1));
    DetailRecord after = before;
    after.links = address;
    return pages_->put_detail(record.detail - 1, before, after);
  };
  for (const uint64_t segment : links_->log().segments_with_dead(dead_share)) {
    ADUANA_TRY(links_->reclaim(segment, current, moved));
    lock.unlock();  // reports go on between two segments
    lock.lock();
  }
  return {};
}

Status Store::settle() { return options_.read_only ? Status{} : pages_->index().maintain(); }

Status Store::compact() {
  {
    std::lock_guard lock(mutex_);
    ADUANA_TRY(writable());
    links_->log().begin_segment();
    ADUANA_TRY(pages_->compact_blobs());
  }
  ADUANA_TRY(reclaim_links(0));
  ADUANA_TRY(pages_->index().merge_all());
  return checkpoint();
}

Status Store::close() {
  {
    std::lock_guard lock(mutex_);
    if (closed_) return {};
    closed_ = true;
    stopping_ = true;
  }
  wake_.notify_all();
  if (worker_.joinable()) worker_.join();
  Status done;
  if (!options_.read_only && options_.persist) {
    pages_->index().stop();  // a merge that ends behind the checkpoint would leave files that it does not name
    const bool changed = journal_->last_lsn() != manifest_.lsn || pages_->index().state() != manifest_.pages.index;
    if (changed) done = checkpoint();
  }
  pages_.reset();
  links_.reset();
  journal_.reset();
  if (!options_.persist && !options_.read_only) done = remove_store(fs_, dir_);
  lock_.reset();
  return done;
}

}  // namespace aduana
