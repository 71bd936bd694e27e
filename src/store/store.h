// The store: pages and links, made from the journal and nothing else.
//
// report() and discover() turn what comes in into events, append them to the journal and apply them to the page table
// and the link lists; all of that is in memory until a checkpoint writes it out. Opening a store loads the last
// checkpoint and applies the journal's tail. So after a crash at any point the state is that of a prefix of the
// journal, and contains everything that was acknowledged under the chosen durability.
//
// Thread-safe. URLs are made canonical outside the lock; look-up, journal and apply are under it. Checkpoints, index
// merges and syncs run in the background; a report waits
// only when the index is four memtables behind, a journal segment is changed, or a segment of link lists is moved.
// After a failed sync, or when memory and journal could no longer be kept in step, changes are refused (Code::closed
// names the reason) and reading goes on; opening the store again puts it right. A full disk refuses the change at hand
// only.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "aduana/report.h"
#include "aduana/time.h"
#include "journal/journal.h"
#include "links/link_store.h"
#include "links/link_stream.h"
#include "pages/page_stream.h"
#include "pages/pages.h"
#include "store/batch.h"
#include "store/follower.h"
#include "store/manifest.h"

namespace aduana {

// In the folder of a store, of whoever stands on it: nothing in it outlives the process. Removed at open.
inline constexpr const char* kScratchFile = "pending.spill";

struct StoreOptions {
  JournalOptions journal;
  PagesOptions pages;
  // Of a store that is made new; an existing one keeps its own.
  CanonicalOptions canonical;
  QueueBy queue_by = QueueBy::host;
  bool keep_journal = false;  // never cut the journal: everything can be derived from it again

  uint64_t retain_journal_bytes = 16 << 20;  // of the journal behind a checkpoint that is kept all the same
  // Of journal from one checkpoint to the next, at least. When more than that has changed in records, as is usual in a
  // large store, the journal may grow as large as these, up to eight times this: what a checkpoint writes then stays in
  // proportion to what was reported, and the replay after a crash within seconds.
  uint64_t checkpoint_bytes = 64 << 20;
  bool create = false;  // make the store if it is not there
  bool read_only = false;
  bool background = true;        // false: no threads; maintenance happens inside report() and at checkpoint()
  bool persist = true;           // false: the files are removed at close
  const Clock* clock = nullptr;  // the system's if null
  Follower* follower = nullptr;  // must live longer than the store
};

// What is known without looking at a file.
struct StoreCounts {
  PageCounts pages;
  uint64_t links = 0, hosts = 0;
  Lsn lsn = 0;
};

struct StoreInfo : StoreCounts {
  Lsn checkpoint_lsn = 0, journal_first_lsn = 0;
  std::vector<std::pair<std::string, uint64_t>> files;  // name, bytes
  uint64_t bytes = 0;                                   // of all files
};

// One moment of a store.
struct StoreSnapshot {
  PagesSnapshot pages;
  ExtentLog::Snapshot links;
  Lsn lsn = 0;

  LinkStream link_stream(bool only_other_hosts = false) const { return {pages, links, only_other_hosts}; }
  PageInfoStream page_stream() const { return PageInfoStream(pages); }
  HashIdxStream hash_stream() const { return HashIdxStream(pages); }
  Result<LinkList> links_of(PageIdx page) const;
};

class Store {
 public:
  static Result<std::unique_ptr<Store>> open(FileSystem& fs, const std::string& dir, const StoreOptions& options);
  ~Store();  // closes; errors of that are lost, so call close() where they matter

  Result<ReportResult> report(std::span<const ReportedPage> pages);
  Result<DiscoverResult> discover(std::span<const Discovery> urls);

  // For the follower and its owner. Runs `make` under the lock, with the time, which is taken under it too so that it
  // never goes back from one event to the next. The payload that it returns, if any, is journaled and handed to the
  // follower's happened(). When it can't be journaled, `undo` is called instead; else `then`, under the same lock.
  using Decision = std::function<Result<std::string>(Instant now)>;
  Result<Lsn> decide(
      const Decision& make, const std::function<void()>& undo = [] {},
      const std::function<Status(Pages&)>& then = [](Pages&) { return Status(); });
  // Several, one after the other, acknowledged together: the error of each, or nothing.
  std::vector<std::optional<Error>> decide_all(std::span<const Decision> decisions);
  // Runs `look` under the lock.
  Status look(const std::function<Status(Pages&)>& look);

  // Forgets the pages of a queue, or of all queues of a crawl, as if they had never been seen, and returns how many
  // there were; Code::not_found if there is nothing of that name. All page records are walked meanwhile, under the
  // lock: about a second for a hundred million.
  Result<uint64_t> delete_queue(std::string_view crawl, std::string_view key);
  Result<uint64_t> delete_crawl(std::string_view crawl);

  // Code::not_found if the page is unknown, Code::invalid if it is no URL.
  Result<PageIdx> find(std::string_view url, std::string_view crawl = {}, std::string_view queue = {});
  Result<PageInfo> page(PageIdx idx);
  Result<PageInfo> page(std::string_view url);
  // The pages on the way from a seed to this one, by who linked whom first; the page itself last.
  Result<std::vector<PageInfo>> path(PageIdx idx);
  Result<LinkList> links_of(PageIdx idx);

  // `at_that_moment` runs under the lock.
  StoreSnapshot snapshot(const std::function<void()>& at_that_moment = [] {});
  StoreCounts counts();
  Result<StoreInfo> info();

  // Writes everything out so that opening needs no replay, and cuts the journal behind it.
  Status checkpoint();
  // Makes everything reported so far durable.
  Status sync() { return journal_->sync(); }
  // Waits until no flush or merge of the index is due.
  Status settle();
  // Rewrites what holds dead space, merges the index into one run.
  Status compact();
  // Checkpoint and close. Nothing else may be called afterwards.
  Status close();

  // Every checksum and invariant; `problem` gets a sentence for each that does not hold.
  Status check(const std::function<void(const std::string&)>& problem);

  const std::string& dir() const { return dir_; }
  // What was settled when the store was made.
  const CanonicalOptions& canonical() const { return manifest_.canonical; }
  bool keeps_journal() const { return manifest_.keep_journal; }

 private:
  static constexpr size_t kUrlBlocksDue = 512;  // waiting to be compressed: time for the worker to do it

  Store(FileSystem& fs, std::string dir, const StoreOptions& options);
  Status open_files();
  Status remove_strays();
  Status replay(const Frame& frame);

  Status writable();
  Lsn last_lsn() const { return journal_ ? journal_->last_lsn() : replayed_; }
  std::unique_ptr<Batch> take_batch(Batch::Generations& generations);
  void give_back(std::unique_ptr<Batch> batch);
  // Journals planned events in frames and applies them; returns how many were. mutex_ held.
  size_t commit(const Batch& batch, std::span<const Batch::Planned> planned, Lsn* lsn, std::optional<Error>* error);
  Result<Lsn> decide_unacknowledged(const Decision& make, const std::function<void()>& undo,
                                    const std::function<Status(Pages&)>& then);
  // The same of one event that is a payload. An error with failure_ set: it is in the journal all the same.
  Result<Lsn> commit_payload(EventKind kind, std::string_view payload, Instant now);
  Status apply(const Event& event, const std::function<PageKey(size_t)>& key_of);
  Status enter(const NewUrl& url, const PageKey& key, PageIdx linked_from, Instant now, PageRecord record);
  Status announce(const Event& event);  // to the follower
  // Whether it is the same crawl reported again, by a client that did not get the answer to the first report: it counts
  // for nothing. `record` and `before` are the page's, as they are without it.
  Result<bool> is_repetition(const Event& event, const PageRecord& record, const DetailRecord& before) const;
  Status apply_crawl(const Event& event);
  Status ask_for_known(std::span<const PageIdx> pages, Lsn* lsn);
  Result<uint64_t> delete_pages(const std::string& payload);
  Status apply_deletion(std::string_view payload, Instant now);
  Status after_change(Lsn lsn);

  bool checkpoint_due() const;
  void note_work_due();
  void work();
  Status checkpoint_locked();  // checkpointing_ held
  Status reclaim_links(double dead_share);
  Status compress_urls(size_t leave);

  FileSystem& fs_;
  const std::string dir_;
  const StoreOptions options_;
  const SystemClock system_clock_;
  const Clock& clock_;
  std::unique_ptr<FileLock> lock_;

  std::mutex mutex_;   // everything below, and the order of events
  Manifest manifest_;  // of the last checkpoint
  std::unique_ptr<Pages> pages_;
  std::unique_ptr<LinkStore> links_;
  std::unique_ptr<Journal> journal_;
  Lsn replayed_ = 0;              // while the journal is being replayed
  uint64_t journaled_bytes_ = 0;  // since the last checkpoint
  std::optional<Error> failure_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::string frame_;
  bool closed_ = false;

  std::mutex checkpointing_;  // one at a time
  std::condition_variable wake_;
  std::atomic<bool> work_due_ = false;  // for worker_, as of the last event
  bool stopping_ = false;
  std::thread worker_;
};

// Removes all files of a store, and its folder. It must not be open.
Status remove_store(FileSystem& fs, const std::string& dir);

}  // namespace aduana
