// The page table: everything known about every page, found by index or by URL.
//
// It keeps the births (UrlLog), the records (PagedArray), longer bytes (ExtentLog), host names and the URL index in
// step: page i has the i-th birth, the i-th record and one index entry. It knows nothing of the journal's timing, of
// politeness or of links: link lists are addresses that the owner puts in the DetailRecord.
//
// Not thread-safe; a PagesSnapshot may be read by any thread while the table goes on, as long as the table lives.
#pragma once

#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "aduana/page_info.h"
#include "base/extent_log.h"
#include "base/paged_array.h"
#include "pages/host_names.h"
#include "pages/queue_generations.h"
#include "pages/records.h"
#include "pages/url_index.h"
#include "pages/url_log.h"

namespace aduana {

struct PagesOptions {
  IndexOptions index;
  size_t records_bytes = size_t{2} << 30;  // of page records that may stay in memory
  bool read_only = false;
};

struct PageCounts {
  std::array<uint64_t, kPageStates> by_state{};
  uint64_t crawled = 0;  // pages with at least one crawl
  uint64_t keys = 0;     // the sum of the low halves of all keys: binds the URLs to the checkpoint

  uint64_t urls() const { return std::accumulate(by_state.begin(), by_state.end(), uint64_t{0}); }
};

// What a checkpoint has to remember to open the table again.
struct PagesState {
  uint64_t pages = 0;
  uint64_t details = 0;
  uint64_t directory = 0;
  uint64_t host_records = 0;
  std::string url_tail;
  ExtentLog::State urls, hosts, blobs;
  UrlIndex::State index;
  PageCounts counts;
  QueueGenerations generations;
};

class PagesSnapshot {
 public:
  // Numbers of pages are below this; some may be of pages that were deleted.
  uint64_t size() const { return records_.size(); }
  uint64_t details() const { return details_.size(); }
  Result<PageRecord> record(PageIdx i) const;
  Result<DetailRecord> detail(uint64_t number) const;
  // Pages in the order of the first crawl: detail `number` on its chunk, for a scan.
  const PagedArray::Snapshot& detail_records() const { return details_; }

  // Keeps the decoded blocks of the page at hand and of the one that linked it, since neighbours share them.
  struct Cursor {
    UrlLog::Snapshot::Cursor own, parent;
  };
  Result<Birth> birth(PageIdx i, Cursor& cursor) const { return urls_.read(i, cursor.own); }
  Result<Birth> birth(PageIdx i, UrlLog::Snapshot::Cursor& cursor) const { return urls_.read(i, cursor); }
  Result<std::string_view> blob(ExtentAddress address) const { return blobs_.read(address); }
  // Code::not_found if it was deleted.
  Result<PageInfo> info(PageIdx i, Cursor& cursor) const;
  std::string_view name_of(HostId host) const { return urls_.hosts().name_of(host); }
  // Of a page that was not deleted.
  PageKey key_of(const Birth& birth, const PageRecord& record) const {
    return generations_->key_of({birth.url, birth.host_name}, name_of(record.queue));
  }

 private:
  friend class Pages;
  PagedArray::Snapshot records_, details_;
  UrlLog::Snapshot urls_;
  ExtentLog::Snapshot blobs_;
  std::shared_ptr<const QueueGenerations> generations_;
};

class Pages {
 public:
  static Result<std::unique_ptr<Pages>> open(FileSystem& fs, const std::string& dir, const PagesOptions& options,
                                             const PagesState& state);

  // The second half of opening, when backed-up chunks were put in place: reads the newest URLs and fills the memtable.
  Status restore(std::string_view url_tail);

  // Numbers of pages are below this; some may be of pages that were deleted.
  uint64_t size() const { return records_->size(); }
  const PageCounts& counts() const { return counts_; }

  Status lookup(std::span<const PageKey> keys, PageIdx* out) { return index_->lookup(keys, out); }
  // To be asked before an event that adds pages is journaled.
  Status admit() { return index_->admit(); }

  // Says that a page with this key will be added soon.
  void prefetch(const PageKey& key) const { index_->prefetch(key); }
  // Enters the next page.
  struct NewPage {
    PageKey key;
    std::string_view url;
    std::string_view host;
    std::string_view queue;  // empty: the host's
    PageIdx linked_from = kNoPage;
    std::string_view metadata;
  };
  Status add(const NewPage& page, PageRecord record);
  // The queue that add() would put it in; its name gets its number here.
  HostId queue_of(const NewPage& page) { return hosts_.intern(page.queue.empty() ? page.host : page.queue); }

  // What keys depend on beside URL and queue. Replaced, never changed: others may go on reading the one they have.
  const std::shared_ptr<const QueueGenerations>& generations() const { return generations_; }
  void set_generations(QueueGenerations generations) {
    generations_ = std::make_shared<const QueueGenerations>(std::move(generations));
  }
  // Makes a page one that was never there; its link list is the owner's to release. The generation of its queue must
  // be changed next.
  Status remove(PageIdx i, const PageRecord& record, UrlLog::Snapshot::Cursor& cursor);

  Result<PageRecord> record(PageIdx i);
  Status put_record(PageIdx i, const PageRecord& before, const PageRecord& after);
  Result<DetailRecord> detail(uint64_t number);
  // The detail of a page, made if it has none; the record is updated then.
  Result<uint64_t> detail_number(PageIdx i, PageRecord& record);
  Status put_detail(uint64_t number, const DetailRecord& before, const DetailRecord& after);

  // Content hash and metadata of a detail: read, and replaced (the old bytes are released).
  Result<std::string> content_hash(const DetailRecord& detail);
  void set_content_hash(DetailRecord& detail, std::string_view hash);
  Result<std::string> metadata(const DetailRecord& detail);
  void set_metadata(DetailRecord& detail, std::string_view metadata);

  Result<Birth> birth(PageIdx i, UrlLog::Snapshot::Cursor& cursor) { return urls_->read(i, cursor); }
  Result<Birth> birth_alone(PageIdx i, UrlLog::Single& single) { return urls_->read_single(i, single); }
  Result<std::string_view> blob(ExtentAddress address) const { return blobs_->read(address); }
  Result<PageInfo> info(PageIdx i);  // Code::not_found if it was deleted

  // 64 bytes that others keep about a host or queue; zeros until they are put.
  static constexpr size_t kHostRecordBytes = 64;
  Status read_host_record(HostId host, char* out);
  Status put_host_record(HostId host, const char* bytes);
  uint64_t host_records() const { return host_records_->size(); }

  // URL blocks that wait to be compressed; see UrlLog.
  UrlLog& urls() { return *urls_; }

  const HostNames& hosts() const { return hosts_; }
  UrlIndex& index() { return *index_; }
  PagesSnapshot snapshot();

  // A checkpoint in steps: begin() and end() need the table to themselves, write_out() runs beside it.
  struct Checkpoint {
    PagesState state;
    PagedArray::Changes records, details, directory, host_records;
    ExtentLog::Flush urls, hosts, blobs;
    std::vector<std::string> obsolete;  // files that may go when the checkpoint is durable
  };
  Checkpoint begin_checkpoint();
  Status write_out(const Checkpoint& checkpoint);
  Status end_checkpoint(const Checkpoint& checkpoint, bool committed, bool in_place);
  // What begin_checkpoint() would find to be written over or added in records, about.
  uint64_t changed_bytes() const {
    return records_->changed_bytes() + details_->changed_bytes() + directory_->changed_bytes() +
           host_records_->changed_bytes();
  }
  // The arrays whose changed chunks need a backup while they are written over, in a fixed order.
  std::array<PagedArray*, 4> arrays() {
    return {records_.get(), details_.get(), directory_.get(), host_records_.get()};
  }
  static std::array<const PagedArray::Changes*, 4> changes_of(const Checkpoint& c) {
    return {&c.records, &c.details, &c.directory, &c.host_records};
  }

  // Tests the checksums of everything but the index.
  void check_files(const std::function<void(const Error&)>& problem);
  // Rewrites the blobs so that no dead space is left.
  Status compact_blobs();

 private:
  Pages(FileSystem& fs, std::string dir, bool read_only) : fs_(fs), dir_(std::move(dir)), read_only_(read_only) {}

  FileSystem& fs_;
  const std::string dir_;
  const bool read_only_;
  HostNames hosts_;
  std::unique_ptr<PagedArray> records_, details_, directory_, host_records_;
  std::unique_ptr<ExtentLog> url_blocks_, host_log_, blobs_;
  std::unique_ptr<UrlLog> urls_;
  std::unique_ptr<UrlIndex> index_;
  PageCounts counts_;
  std::shared_ptr<const QueueGenerations> generations_;
  std::vector<std::string> dropped_;
};

}  // namespace aduana
