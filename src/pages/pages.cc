#include "pages/pages.h"

#include <fmt/format.h>

#include <algorithm>

namespace aduana {

Result<std::unique_ptr<Pages>> Pages::open(FileSystem& fs, const std::string& dir, const PagesOptions& options,
                                           const PagesState& state) {
  std::unique_ptr<Pages> pages(new Pages(fs, dir, options.read_only));
  const std::string index_dir = join_path(dir, "index");
  if (!options.read_only) ADUANA_TRY(fs.create_dirs(index_dir));
  const size_t resident = options.records_bytes / PagedArray::kChunkBytes;
  const auto array = [&](const char* name, size_t record_bytes, uint64_t size) {
    return PagedArray::open(fs, join_path(dir, name), record_bytes, size, resident, options.read_only);
  };
  ADUANA_ASSIGN(pages->records_, array("pages.rec", PageRecord::kBytes, state.pages));
  ADUANA_ASSIGN(pages->details_, array("details.rec", DetailRecord::kBytes, state.details));
  ADUANA_ASSIGN(pages->directory_, array("urls.dir", UrlLog::kDirectoryRecord, state.directory));
  ADUANA_ASSIGN(pages->host_records_, array("hosts.rec", kHostRecordBytes, state.host_records));
  ADUANA_ASSIGN(pages->url_blocks_, ExtentLog::open(fs, join_path(dir, "urls"), state.urls));
  ADUANA_ASSIGN(pages->host_log_, ExtentLog::open(fs, join_path(dir, "hosts"), state.hosts));
  ADUANA_ASSIGN(pages->blobs_, ExtentLog::open(fs, join_path(dir, "blobs"), state.blobs));
  ADUANA_TRY(pages->hosts_.load(*pages->host_log_));
  pages->urls_ = std::make_unique<UrlLog>(*pages->url_blocks_, *pages->directory_, pages->hosts_);
  pages->counts_ = state.counts;
  pages->set_generations(state.generations);
  IndexOptions index_options = options.index;
  index_options.read_only = options.read_only;
  ADUANA_ASSIGN(pages->index_, UrlIndex::open(fs, index_dir, index_options, state.index));
  return pages;
}

Status Pages::restore(std::string_view url_tail) {
  ADUANA_TRY(urls_->restore(url_tail));
  if (urls_->size() != size()) {
    return Error(Code::corrupt, fmt::format("{}: {} URLs for {} page records", dir_, urls_->size(), size()));
  }
  UrlLog::Snapshot::Cursor cursor;
  for (PageIdx i = index_->flushed_end(); i.value < size(); ++i.value) {
    ADUANA_ASSIGN(const Birth birth, urls_->read(i, cursor));
    if (i.value % 4096 == 0 && !read_only_) ADUANA_TRY(index_->admit());  // a lost index is made anew here
    ADUANA_ASSIGN(const PageRecord its_record, record(i));
    // The index has an entry for every number; nobody asks for this key.
    const PageKey key = its_record.state == PageState::deleted
                            ? PageKey{0, ~i.value}
                            : generations_->key_of({birth.url, birth.host_name}, hosts_.name_of(its_record.queue));
    index_->insert(key, i);
  }
  return {};
}

Status Pages::add(const NewPage& page, PageRecord record) {
  const PageIdx idx{size()};
  const HostId host = hosts_.intern(page.host);
  record.queue = page.queue.empty() ? host : hosts_.intern(page.queue);
  ADUANA_TRY(urls_->append({page.url, page.host, host, page.linked_from}));
  ADUANA_ASSIGN(char* bytes, records_->append());
  record.encode(bytes);
  ++counts_.by_state[static_cast<size_t>(record.state)];
  counts_.keys += page.key.lo;
  index_->insert(page.key, idx);
  if (page.metadata.empty()) return {};
  PageRecord with_detail = record;
  ADUANA_ASSIGN(const uint64_t number, detail_number(idx, with_detail));
  ADUANA_ASSIGN(const DetailRecord before, detail(number));
  DetailRecord after = before;
  set_metadata(after, page.metadata);
  return put_detail(number, before, after);
}

Status Pages::remove(PageIdx i, const PageRecord& record, UrlLog::Snapshot::Cursor& cursor) {
  ADUANA_ASSIGN(const Birth birth, urls_->read(i, cursor));
  counts_.keys -= generations_->key_of({birth.url, birth.host_name}, hosts_.name_of(record.queue)).lo;
  if (record.detail) {
    ADUANA_ASSIGN(const DetailRecord before, detail(record.detail - 1));
    DetailRecord after = before;
    set_content_hash(after, {});
    set_metadata(after, {});
    after = {};
    after.page = i;
    ADUANA_TRY(put_detail(record.detail - 1, before, after));
  }
  PageRecord after = record;
  after.state = PageState::deleted;
  return put_record(i, record, after);
}

Status Pages::read_host_record(HostId host, char* out) {
  if (host.value >= host_records_->size()) {
    std::fill_n(out, kHostRecordBytes, '\0');
    return {};
  }
  ADUANA_ASSIGN(const char* bytes, host_records_->get(host.value));
  std::copy_n(bytes, kHostRecordBytes, out);
  return {};
}

Status Pages::put_host_record(HostId host, const char* bytes) {
  while (host_records_->size() <= host.value) ADUANA_TRY(host_records_->append());
  ADUANA_ASSIGN(char* record, host_records_->change(host.value));
  std::copy_n(bytes, kHostRecordBytes, record);
  return {};
}

Result<PageRecord> Pages::record(PageIdx i) {
  ADUANA_ASSIGN(const char* bytes, records_->get(i.value));
  return PageRecord::decode(bytes);
}

Status Pages::put_record(PageIdx i, const PageRecord& before, const PageRecord& after) {
  ADUANA_ASSIGN(char* bytes, records_->change(i.value));
  after.encode(bytes);
  --counts_.by_state[static_cast<size_t>(before.state)];
  if (after.state != PageState::deleted) ++counts_.by_state[static_cast<size_t>(after.state)];
  return {};
}

Result<DetailRecord> Pages::detail(uint64_t number) {
  ADUANA_ASSIGN(const char* bytes, details_->get(number));
  return DetailRecord::decode(bytes);
}

Result<uint64_t> Pages::detail_number(PageIdx i, PageRecord& record) {
  if (record.detail) return record.detail - 1;
  const PageRecord before = record;
  record.detail = details_->size() + 1;
  ADUANA_TRY(put_record(i, before, record));
  ADUANA_ASSIGN(char* bytes, details_->append());
  DetailRecord detail;
  detail.page = i;
  detail.encode(bytes);
  return record.detail - 1;
}

Status Pages::put_detail(uint64_t number, const DetailRecord& before, const DetailRecord& after) {
  ADUANA_ASSIGN(char* bytes, details_->change(number));
  after.encode(bytes);
  if (before.n_crawls == 0 && after.n_crawls > 0) ++counts_.crawled;
  if (before.n_crawls > 0 && after.n_crawls == 0) --counts_.crawled;
  return {};
}

Result<std::string> Pages::content_hash(const DetailRecord& detail) {
  if (detail.hash_length != DetailRecord::kHashElsewhere) return std::string(detail.hash.data(), detail.hash_length);
  ADUANA_ASSIGN(const auto bytes, blobs_->read(detail.hash_address));
  return std::string(bytes);
}

void Pages::set_content_hash(DetailRecord& detail, std::string_view hash) {
  if (detail.hash_length == DetailRecord::kHashElsewhere) blobs_->release(detail.hash_address);
  detail.hash.fill(0);
  if (hash.size() <= DetailRecord::kInlineHash) {
    detail.hash_length = static_cast<uint8_t>(hash.size());
    hash.copy(detail.hash.data(), hash.size());
  } else {
    detail.hash_length = DetailRecord::kHashElsewhere;
    detail.hash_address = blobs_->append(hash);
  }
}

Result<std::string> Pages::metadata(const DetailRecord& detail) {
  if (!detail.metadata) return std::string();
  ADUANA_ASSIGN(const auto bytes, blobs_->read(detail.metadata));
  return std::string(bytes);
}

void Pages::set_metadata(DetailRecord& detail, std::string_view metadata) {
  if (detail.metadata) blobs_->release(detail.metadata);
  detail.metadata = metadata.empty() ? 0 : blobs_->append(metadata);
}

Status Pages::compact_blobs() {
  std::vector<uint64_t> old;
  for (const auto& segment : blobs_->state()) {
    if (segment.dead > 0) old.push_back(segment.number);
  }
  if (old.empty()) return {};
  blobs_->begin_segment();
  const auto is_old = [&](ExtentAddress address) {
    return std::binary_search(old.begin(), old.end(), blobs_->segment_of(address));
  };
  for (uint64_t number = 0; number < details_->size(); ++number) {
    ADUANA_ASSIGN(const DetailRecord before, detail(number));
    DetailRecord after = before;
    if (after.hash_length == DetailRecord::kHashElsewhere && is_old(after.hash_address)) {
      ADUANA_ASSIGN(const std::string hash, content_hash(before));
      set_content_hash(after, hash);
    }
    if (after.metadata && is_old(after.metadata)) {
      ADUANA_ASSIGN(const std::string bytes, metadata(before));
      set_metadata(after, bytes);
    }
    if (after.hash_address != before.hash_address || after.metadata != before.metadata) {
      ADUANA_TRY(put_detail(number, before, after));
    }
  }
  for (uint64_t number : old) {
    dropped_.push_back(blobs_->path_of(number));
    blobs_->drop(number);
  }
  return {};
}

void Pages::check_files(const std::function<void(const Error&)>& problem) {
  for (PagedArray* array : arrays()) array->check(problem);
  for (const ExtentLog* log : {url_blocks_.get(), host_log_.get(), blobs_.get()}) {
    for (const auto& segment : log->state()) {
      if (Status ok = log->scan(segment.number, [](ExtentAddress, std::string_view) { return Status{}; }); !ok) {
        problem(ok.error());
      }
    }
  }
}

PagesSnapshot Pages::snapshot() {
  PagesSnapshot snapshot;
  snapshot.records_ = records_->snapshot();
  snapshot.details_ = details_->snapshot();
  snapshot.urls_ = urls_->snapshot();
  snapshot.blobs_ = blobs_->snapshot();
  snapshot.generations_ = generations_;
  return snapshot;
}

Pages::Checkpoint Pages::begin_checkpoint() {
  hosts_.save(*host_log_);
  Checkpoint c;
  c.obsolete = index_->take_obsolete();  // before state(): what merges free from now on is for the next checkpoint
  c.records = records_->begin_checkpoint();
  c.details = details_->begin_checkpoint();
  c.directory = directory_->begin_checkpoint();
  c.host_records = host_records_->begin_checkpoint();
  c.urls = url_blocks_->begin_flush();
  c.hosts = host_log_->begin_flush();
  c.blobs = blobs_->begin_flush();
  c.state = {records_->size(),     details_->size(),   directory_->size(), host_records_->size(), urls_->tail(),
             url_blocks_->state(), host_log_->state(), blobs_->state(),    index_->state(),       counts_,
             *generations_};
  c.obsolete.insert(c.obsolete.end(), dropped_.begin(), dropped_.end());
  dropped_.clear();
  return c;
}

Status Pages::write_out(const Checkpoint& c) {
  ADUANA_TRY(url_blocks_->write_out(c.urls));
  ADUANA_TRY(host_log_->write_out(c.hosts));
  ADUANA_TRY(blobs_->write_out(c.blobs));
  ADUANA_TRY(records_->write(c.records, c.records.added));
  ADUANA_TRY(details_->write(c.details, c.details.added));
  ADUANA_TRY(directory_->write(c.directory, c.directory.added));
  ADUANA_TRY(host_records_->write(c.host_records, c.host_records.added));
  return fs_.sync_dir(join_path(dir_, "index"));
}

Status Pages::end_checkpoint(const Checkpoint& c, bool committed, bool in_place) {
  records_->end_checkpoint(c.records, committed, in_place);
  details_->end_checkpoint(c.details, committed, in_place);
  directory_->end_checkpoint(c.directory, committed, in_place);
  host_records_->end_checkpoint(c.host_records, committed, in_place);
  if (!committed) {
    dropped_.insert(dropped_.end(), c.obsolete.begin(), c.obsolete.end());
    return {};
  }
  ADUANA_TRY(url_blocks_->end_flush(c.urls));
  ADUANA_TRY(host_log_->end_flush(c.hosts));
  return blobs_->end_flush(c.blobs);
}

Result<PageRecord> PagesSnapshot::record(PageIdx i) const {
  char bytes[PageRecord::kBytes];
  ADUANA_TRY(records_.read(i.value, bytes));
  return PageRecord::decode(bytes);
}

Result<DetailRecord> PagesSnapshot::detail(uint64_t number) const {
  char bytes[DetailRecord::kBytes];
  ADUANA_TRY(details_.read(number, bytes));
  return DetailRecord::decode(bytes);
}

namespace {

// The same for the table as it is and for a snapshot of it: both have record(), detail(), birth() and blob().
template <class Source>
Result<PageInfo> info_from(Source& source, PageIdx i, PagesSnapshot::Cursor& cursor) {
  PageInfo info;
  info.idx = i;
  ADUANA_ASSIGN(const PageRecord record, source.record(i));
  if (record.state == PageState::deleted) return Error(Code::not_found, fmt::format("page {} was deleted", i.value));
  {
    ADUANA_ASSIGN(const Birth birth, source.birth(i, cursor.own));
    info.url = birth.url;
    info.host = birth.host_name;
    info.linked_from = birth.linked_from;
  }
  info.hash = url_hash(info.url, info.host);
  if (info.linked_from != kNoPage) {
    ADUANA_ASSIGN(const Birth parent, source.birth(info.linked_from, cursor.parent));
    info.linked_from_hash = url_hash(parent.url, parent.host_name);
  }
  info.state = record.state;
  info.depth = record.depth;
  info.score = record.score;
  if (!record.detail) return info;
  ADUANA_ASSIGN(const DetailRecord detail, source.detail(record.detail - 1));
  info.n_crawls = detail.n_crawls;
  info.n_changes = detail.n_changes;
  info.first_crawl = detail.first_crawl;
  info.last_crawl = detail.last_crawl;
  if (record.state == PageState::scheduled) info.next_visit = detail.due;
  if (detail.hash_length == DetailRecord::kHashElsewhere) {
    ADUANA_ASSIGN(const auto bytes, source.blob(detail.hash_address));
    info.content_hash = bytes;
  } else {
    info.content_hash.assign(detail.hash.data(), detail.hash_length);
  }
  if (detail.metadata) {
    ADUANA_ASSIGN(const auto bytes, source.blob(detail.metadata));
    info.metadata = bytes;
  }
  return info;
}

}  // namespace

Result<PageInfo> Pages::info(PageIdx i) {
  PagesSnapshot::Cursor cursor;
  return info_from(*this, i, cursor);
}

Result<PageInfo> PagesSnapshot::info(PageIdx i, Cursor& cursor) const { return info_from(*this, i, cursor); }

}  // namespace aduana
