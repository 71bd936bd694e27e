// Deleting a queue, or a crawl with all its queues: its pages leave their records, their link lists and all counts.
//
// Numbers of pages are never used again, so the records stay as empty places; so do links of other pages to them. The
// queue's generation is changed, by which its URLs are unknown from then on (pages/queue_generations.h).

#include <fmt/format.h>

#include <algorithm>

#include "store/store.h"

namespace aduana {
namespace {

// The first byte of the event's payload; the rest is the name.
constexpr char kQueue = 'q';
constexpr char kCrawl = 'c';

// Which queues are meant, by their numbers.
std::vector<bool> queues_meant(const HostNames& names, std::string_view payload) {
  std::vector<bool> meant(names.size());
  if (payload[0] == kQueue) {
    HostId id;
    if (names.find(payload.substr(1), &id)) meant[id.value] = true;
    return meant;
  }
  for (uint32_t id = 0; id < names.size(); ++id) {
    meant[id] = crawl_of(names.name_of({id})) == payload.substr(1);
  }
  return meant;
}

}  // namespace

Result<uint64_t> Store::delete_queue(std::string_view crawl, std::string_view key) {
  ADUANA_TRY(test_queue_key(crawl, key));
  if (key.empty()) return Error(Code::invalid, "a queue to delete is not named");
  return delete_pages(kQueue + queue_name(crawl, key, {}, QueueBy::host));
}

Result<uint64_t> Store::delete_crawl(std::string_view crawl) {
  ADUANA_TRY(test_queue_key(crawl, {}));
  return delete_pages(kCrawl + std::string(crawl.empty() ? kDefaultCrawl : crawl));
}

Result<uint64_t> Store::delete_pages(const std::string& payload) {
  Lsn lsn = 0;
  uint64_t deleted = 0;
  {
    std::lock_guard lock(mutex_);
    ADUANA_TRY(writable());
    const auto meant = queues_meant(pages_->hosts(), payload);
    if (std::find(meant.begin(), meant.end(), true) == meant.end()) {
      return Error(Code::not_found, fmt::format("{}: no {} {}", dir_, payload[0] == kQueue ? "queue" : "crawl",
                                                std::string_view(payload).substr(1)));
    }
    const uint64_t before = pages_->counts().urls();
    ADUANA_ASSIGN(lsn, commit_payload(EventKind::deleted, payload, clock_.now()));
    deleted = before - pages_->counts().urls();
  }
  ADUANA_TRY(after_change(lsn));
  return deleted;
}

Status Store::apply_deletion(std::string_view payload, Instant now) {
  if (payload.empty() || (payload[0] != kQueue && payload[0] != kCrawl)) {
    return Error(Code::corrupt, dir_ + ": a deletion in the journal can't be decoded");
  }
  const std::vector<bool> meant = queues_meant(pages_->hosts(), payload);
  UrlLog::Snapshot::Cursor cursor;
  for (PageIdx page{0}; page.value < pages_->size(); ++page.value) {
    ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
    if (record.state == PageState::deleted || !meant[record.queue.value]) continue;
    if (options_.follower) ADUANA_TRY(options_.follower->deleted(page, record));
    if (record.detail) {
      ADUANA_ASSIGN(const DetailRecord detail, pages_->detail(record.detail - 1));
      ADUANA_TRY(links_->replace(page, detail.links, {}));
    }
    ADUANA_TRY(pages_->remove(page, record, cursor));
  }
  QueueGenerations generations = *pages_->generations();
  if (payload[0] == kQueue) {
    generations.delete_queue(payload.substr(1));
  } else {
    generations.delete_crawl(payload.substr(1));
  }
  pages_->set_generations(std::move(generations));
  for (uint32_t id = 0; id < meant.size() && options_.follower; ++id) {
    if (meant[id]) ADUANA_TRY(options_.follower->emptied({id}, now));
  }
  return {};
}

}  // namespace aduana
