#include "store/store.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time_bytes.h"

namespace aduana {
namespace {

constexpr size_t kFrameBytes = 4 << 20;  // a batch larger than this is journaled in several frames

template <class Depth>
Depth one_deeper(Depth depth, Depth most) {
  return depth >= most ? most : static_cast<Depth>(depth + 1);
}

Instant time_of_crawl(const Event& event) {
  return std::clamp(Instant{Millis{event.time_ms}}, Instant{}, kLastInstant);
}

// By a client whose clock is ahead: it says nothing of what came before what.
bool last_crawl_is_ahead(const Event& event, const DetailRecord& before) {
  return before.n_crawls > 0 && before.last_crawl > Instant{Millis{event.now_ms}};
}

// A crawl that another one, of a later time, was reported before. It counts, but what is known since then stays.
bool is_late(const Event& event, const DetailRecord& before) {
  return before.n_crawls > 0 && time_of_crawl(event) < before.last_crawl && !last_crawl_is_ahead(event, before);
}

}  // namespace

Store::Store(FileSystem& fs, std::string dir, const StoreOptions& options)
    : fs_(fs), dir_(std::move(dir)), options_(options), clock_(options.clock ? *options.clock : system_clock_) {}

Store::~Store() { (void)close(); }

Status Store::writable() {
  if (options_.read_only) return Error(Code::unsupported, dir_ + ": opened for reading only");
  if (failure_) return Error(Code::closed, failure_->message() + "; open the store again");
  return journal_ ? journal_->health() : Status{};
}

std::unique_ptr<Batch> Store::take_batch(Batch::Generations& generations) {
  std::lock_guard lock(mutex_);
  generations = pages_->generations();
  if (batches_.empty()) return std::make_unique<Batch>(manifest_.canonical, manifest_.queue_by);
  auto batch = std::move(batches_.back());
  batches_.pop_back();
  return batch;
}

void Store::give_back(std::unique_ptr<Batch> batch) {
  std::lock_guard lock(mutex_);
  batches_.push_back(std::move(batch));
}

Result<ReportResult> Store::report(std::span<const ReportedPage> pages) {
  ReportResult result;
  Batch::Generations generations;
  auto batch = take_batch(generations);
  batch->prepare(pages, generations, clock_.now(), result);
  std::optional<Error> error;
  {
    std::lock_guard lock(mutex_);
    if (pages_->generations() != generations) batch->prepare(pages, pages_->generations(), clock_.now(), result);
    ADUANA_TRY(writable());
    ADUANA_TRY(pages_->admit());
    ADUANA_TRY(pages_->lookup(batch->keys(), batch->found()));
    const auto planned = batch->plan_pages(pages_->size(), clock_.now());
    const size_t done = commit(*batch, planned, &result.lsn, &error);
    if (error && done == 0) return *error;
    for (size_t i = 0; i < planned.size(); ++i) {
      PageOutcome& outcome = result.pages[planned[i].report];
      if (i < done) {
        outcome.page = PageIdx{planned[i].event.page};
        result.new_urls += planned[i].event.new_urls.size();
      } else {
        outcome.error = *error;
      }
    }
  }
  give_back(std::move(batch));
  ADUANA_TRY(after_change(result.lsn));
  return result;
}

Result<DiscoverResult> Store::discover(std::span<const Discovery> urls) {
  DiscoverResult result;
  Batch::Generations generations;
  auto batch = take_batch(generations);
  batch->prepare(urls, generations, result);
  std::optional<Error> error;
  {
    std::lock_guard lock(mutex_);
    if (pages_->generations() != generations) batch->prepare(urls, pages_->generations(), result);
    ADUANA_TRY(writable());
    ADUANA_TRY(pages_->admit());
    ADUANA_TRY(pages_->lookup(batch->keys(), batch->found()));
    const auto planned = batch->plan_discovered(pages_->size(), clock_.now());
    commit(*batch, planned, &result.lsn, &error);
    if (error) return *error;
    if (!planned.empty()) result.new_urls = planned[0].event.new_urls.size();
    if (options_.follower) ADUANA_TRY(ask_for_known(batch->known(), &result.lsn));
  }
  give_back(std::move(batch));
  ADUANA_TRY(after_change(result.lsn));
  return result;
}

Status Store::ask_for_known(std::span<const PageIdx> pages, Lsn* lsn) {
  if (pages.empty()) return {};
  ADUANA_ASSIGN(const std::string payload, options_.follower->wanted(pages));
  if (payload.empty()) return {};
  ADUANA_ASSIGN(*lsn, commit_payload(EventKind::other, payload, clock_.now()));
  return {};
}

size_t Store::commit(const Batch& batch, std::span<const Batch::Planned> planned, Lsn* lsn,
                     std::optional<Error>* error) {
  size_t done = 0;
  while (done < planned.size()) {
    frame_.assign(kFrameHeaderBytes, '\0');
    size_t end = done;
    while (end < planned.size() && frame_.size() < kFrameBytes) append_event(frame_, planned[end++].event);
    const auto appended = journal_->append(frame_, static_cast<uint32_t>(end - done));
    if (!appended) {
      *error = appended.error();
      return done;
    }
    *lsn = *appended;
    journaled_bytes_ += frame_.size();
    for (; done < end; ++done) {
      const Batch::Planned& p = planned[done];
      if (done + 1 < end) {
        const Batch::Planned& following = planned[done + 1];
        for (size_t i = 0; i < following.event.new_urls.size(); ++i) {
          pages_->prefetch(batch.new_key(following.first_key + i));
        }
      }
      if (Status applied = apply(p.event, [&](size_t i) { return batch.new_key(p.first_key + i); }); !applied) {
        // The journal is ahead of memory now; only opening the store again brings them together.
        failure_ = applied.error();
        *error = applied.error();
        return done;
      }
    }
  }
  note_work_due();
  return done;
}

void Store::note_work_due() {
  work_due_.store(checkpoint_due() || pages_->urls().waiting() >= kUrlBlocksDue, std::memory_order_relaxed);
}

Status Store::apply(const Event& event, const std::function<PageKey(size_t)>& key_of) {
  const Instant now{Millis{event.now_ms}};
  if (event.kind == EventKind::other) {
    if (!options_.follower) {
      return Error(Code::unsupported, dir_ + ": the journal holds events of a frontier; open it as one");
    }
    return options_.follower->happened(event.payload, now);
  }
  if (event.kind == EventKind::deleted) return apply_deletion(event.payload, now);
  if (event.first_new != pages_->size()) {
    return Error(Code::corrupt, fmt::format("an event of the journal counts {} pages where there are {}",
                                            event.first_new, pages_->size()));
  }
  const bool crawl = event.kind == EventKind::page;
  PageRecord from;
  PageIdx linked_from = kNoPage;
  size_t first_link = 0;
  if (crawl) {
    if (options_.follower) ADUANA_TRY(announce(event));
    linked_from = PageIdx{event.page};
    if (event.page >= event.first_new) {
      // The page itself is new: it is the first of the new URLs, and nobody linked it.
      PageRecord own;
      own.state = PageState::done;
      ADUANA_TRY(enter(event.new_urls.at(0), key_of(0), kNoPage, now, own));
      first_link = 1;
    }
    ADUANA_ASSIGN(from, pages_->record(linked_from));
  }
  for (size_t i = first_link; i < event.new_urls.size(); ++i) {
    const NewUrl& u = event.new_urls[i];
    PageRecord record;
    record.score = u.score;
    record.priority = u.priority;
    if (crawl) record.depth = one_deeper(from.depth, PageRecord::kMaxDepth);
    if (crawl && u.same_domain) record.domain_depth = one_deeper(from.domain_depth, PageRecord::kMaxDomainDepth);
    ADUANA_TRY(enter(u, key_of(i), linked_from, now, record));
  }
  return crawl ? apply_crawl(event) : Status{};
}

Status Store::announce(const Event& event) {
  PageRecord record;
  DetailRecord before;
  if (event.page < event.first_new) {
    ADUANA_ASSIGN(record, pages_->record(PageIdx{event.page}));
    if (record.detail) {
      ADUANA_ASSIGN(before, pages_->detail(record.detail - 1));
    }
  }
  ADUANA_ASSIGN(const bool repeated, is_repetition(event, record, before));
  return repeated || is_late(event, before) ? Status() : options_.follower->coming(event, before.n_crawls > 0);
}

Result<bool> Store::is_repetition(const Event& event, const PageRecord& record, const DetailRecord& before) const {
  if (before.n_crawls == 0) return false;
  const Instant time = time_of_crawl(event);
  if (event.time_told && (time == before.last_crawl || time == before.first_crawl)) return true;
  // In any other state it was to be crawled again, and this may be what came of that.
  const bool is_crawled = record.state == PageState::done || record.state == PageState::scheduled;
  if (!event.may_be_repeated || !is_crawled) return false;
  if (time < before.last_crawl || time > before.last_crawl + kRepeatedWithin) return false;
  if (record.score != event.score) return false;
  if (!event.content_hash.empty()) {
    ADUANA_ASSIGN(const std::string hash, pages_->content_hash(before));
    if (hash != event.content_hash) return false;
  }
  if (event.metadata) {
    ADUANA_ASSIGN(const std::string metadata, pages_->metadata(before));
    if (metadata != *event.metadata) return false;
  }
  LinkList then, now;
  if (before.links) {
    ADUANA_ASSIGN(then, links_->read(before.links));
  }
  if (!event.links.empty() && !read_link_list(event.links, PageIdx{event.page}, now)) {
    return Error(Code::corrupt, "the links of an event can't be decoded");
  }
  return then.targets == now.targets;
}

Status Store::enter(const NewUrl& url, const PageKey& key, PageIdx linked_from, Instant now, PageRecord record) {
  const Pages::NewPage page{key, url.url, url.host(), url.queue, linked_from, url.metadata};
  if (options_.follower) {
    record.queue = pages_->queue_of(page);
    ADUANA_TRY(options_.follower->born(PageIdx{pages_->size()}, url, now, record));
  }
  const PageIdx idx{pages_->size()};
  ADUANA_TRY(pages_->add(page, record));
  return options_.follower ? options_.follower->stored(idx, std::nullopt, record, now) : Status{};
}

Status Store::apply_crawl(const Event& event) {
  const PageIdx page{event.page};
  ADUANA_ASSIGN(PageRecord record, pages_->record(page));
  ADUANA_ASSIGN(const uint64_t number, pages_->detail_number(page, record));
  ADUANA_ASSIGN(const DetailRecord before, pages_->detail(number));
  ADUANA_ASSIGN(const bool repeated, is_repetition(event, record, before));
  if (repeated) return {};
  const bool late = is_late(event, before);
  PageRecord crawled = record;
  if (!late) crawled.score = event.score;
  crawled.state = PageState::done;
  DetailRecord after = before;
  const Instant time = time_of_crawl(event);
  after.first_crawl = before.n_crawls ? std::min(before.first_crawl, time) : time;
  const bool only_later = before.n_crawls && !last_crawl_is_ahead(event, before);
  after.last_crawl = only_later ? std::max(before.last_crawl, time) : time;
  ++after.n_crawls;
  after.failures = 0;
  if (!late && !event.content_hash.empty()) {
    ADUANA_ASSIGN(const std::string old_hash, pages_->content_hash(before));
    if (old_hash != event.content_hash) {
      if (!old_hash.empty()) ++after.n_changes;
      pages_->set_content_hash(after, event.content_hash);
    }
  }
  if (!late) {
    if (event.metadata) pages_->set_metadata(after, *event.metadata);
    ADUANA_ASSIGN(after.links, links_->replace(page, before.links, event.links));
  }
  if (options_.follower) ADUANA_TRY(options_.follower->crawled(page, event, record, crawled, after));
  ADUANA_TRY(pages_->put_record(page, record, crawled));
  ADUANA_TRY(pages_->put_detail(number, before, after));
  return options_.follower ? options_.follower->stored(page, record.state, crawled, Instant{Millis{event.now_ms}})
                           : Status{};
}

Result<Lsn> Store::decide(const Decision& make, const std::function<void()>& undo,
                          const std::function<Status(Pages&)>& then) {
  ADUANA_ASSIGN(const Lsn lsn, decide_unacknowledged(make, undo, then));
  ADUANA_TRY(after_change(lsn));
  return lsn;
}

std::vector<std::optional<Error>> Store::decide_all(std::span<const Decision> decisions) {
  std::vector<std::optional<Error>> outcomes;
  Lsn last = 0;
  for (const Decision& make : decisions) {
    const auto lsn = decide_unacknowledged(
        make, [] {}, [](Pages&) { return Status(); });
    outcomes.push_back(lsn ? std::nullopt : std::optional(lsn.error()));
    if (lsn) last = std::max(last, *lsn);
  }
  if (const Status known = after_change(last); !known) {
    for (auto& outcome : outcomes) {
      if (!outcome) outcome = known.error();
    }
  }
  return outcomes;
}

Result<Lsn> Store::decide_unacknowledged(const Decision& make, const std::function<void()>& undo,
                                         const std::function<Status(Pages&)>& then) {
  std::lock_guard lock(mutex_);
  ADUANA_TRY(writable());
  const Instant now = clock_.now();
  ADUANA_ASSIGN(const std::string payload, make(now));
  if (payload.empty()) return Lsn{0};
  const auto committed = commit_payload(EventKind::other, payload, now);
  if (!committed) {
    if (!failure_) undo();
    return committed;
  }
  ADUANA_TRY(then(*pages_));
  return committed;
}

Result<Lsn> Store::commit_payload(EventKind kind, std::string_view payload, Instant now) {
  Event event;
  event.kind = kind;
  event.now_ms = now.time_since_epoch().count();
  event.payload = payload;
  frame_.assign(kFrameHeaderBytes, '\0');
  append_event(frame_, event);
  ADUANA_ASSIGN(const Lsn lsn, journal_->append(frame_, 1));
  journaled_bytes_ += frame_.size();
  if (Status applied = apply(event, {}); !applied) {
    failure_ = applied.error();
    return applied.error();
  }
  note_work_due();
  return lsn;
}

Status Store::look(const std::function<Status(Pages&)>& look) {
  std::lock_guard lock(mutex_);
  return look(*pages_);
}

Status Store::after_change(Lsn lsn) {
  if (lsn == 0) return {};
  ADUANA_TRY(journal_->wait(lsn));
  if (options_.background) {
    if (work_due_.load(std::memory_order_relaxed)) wake_.notify_one();
    return {};
  }
  ADUANA_TRY(pages_->index().maintain());
  std::unique_lock lock(mutex_);
  const bool due = checkpoint_due();
  lock.unlock();
  return due ? checkpoint() : Status{};
}

Result<PageIdx> Store::find(std::string_view url, std::string_view crawl, std::string_view queue) {
  Canonicalizer canonicalizer(manifest_.canonical);
  ADUANA_ASSIGN(const CanonicalView canonical, canonicalizer.canonicalize(url));
  const std::string name = queue_name(crawl, queue, canonical.host, manifest_.queue_by);
  PageIdx idx;
  std::lock_guard lock(mutex_);
  const PageKey key = pages_->generations()->key_of(canonical, name);
  ADUANA_TRY(pages_->lookup({&key, 1}, &idx));
  if (idx == kNoPage) return Error(Code::not_found, fmt::format("there is no page {}", canonical.text));
  return idx;
}

Result<PageInfo> Store::page(PageIdx idx) {
  std::lock_guard lock(mutex_);
  return pages_->info(idx);
}

Result<PageInfo> Store::page(std::string_view url) {
  ADUANA_ASSIGN(const PageIdx idx, find(url));
  return page(idx);
}

Result<std::vector<PageInfo>> Store::path(PageIdx idx) {
  std::vector<PageInfo> path;
  while (idx != kNoPage) {
    auto info = page(idx);
    if (!info && info.error().code() == Code::not_found && !path.empty()) break;  // its beginning was deleted
    if (!info) return info.error();
    idx = info->linked_from;
    path.push_back(std::move(*info));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

Result<LinkList> Store::links_of(PageIdx idx) {
  std::lock_guard lock(mutex_);
  ADUANA_ASSIGN(const PageRecord record, pages_->record(idx));
  if (!record.detail) return LinkList{};
  ADUANA_ASSIGN(const DetailRecord detail, pages_->detail(record.detail - 1));
  return links_->read(detail.links);
}

Result<LinkList> StoreSnapshot::links_of(PageIdx page) const {
  LinkList list;
  ADUANA_ASSIGN(const PageRecord record, pages.record(page));
  if (!record.detail) return list;
  ADUANA_ASSIGN(const DetailRecord detail, pages.detail(record.detail - 1));
  if (!detail.links) return list;
  ADUANA_ASSIGN(const auto entry, links.read(detail.links));
  PageIdx owner;
  std::string_view bytes;
  if (!split_link_entry(entry, &owner, &bytes) || owner != page || !read_link_list(bytes, page, list)) {
    return Error(Code::corrupt, fmt::format("the link list of page {} can't be decoded", page.value));
  }
  return list;
}

StoreSnapshot Store::snapshot(const std::function<void()>& at_that_moment) {
  std::lock_guard lock(mutex_);
  at_that_moment();
  return {pages_->snapshot(), links_->snapshot(), journal_->last_lsn()};
}

}  // namespace aduana
