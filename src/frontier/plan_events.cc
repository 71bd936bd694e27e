// The half of the plan that follows the store: what has happened, now or before a restart.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/time_bytes.h"
#include "frontier/admission.h"
#include "frontier/plan.h"

namespace aduana {
namespace {

constexpr uint8_t kSavedVersion = 1;

bool is_planned(std::optional<PageState> state) { return state && *state != PageState::known; }

uint64_t planned_in(const Queue& queue) { return queue.total - queue.count(PageState::known); }

}  // namespace

void Plan::count(const Queue& queue, HostId id, std::optional<PageState> from, std::optional<PageState> to) {
  schedule_->recount(id, from, to);
  if (is_planned(to) && !is_planned(from)) ++pages_in_lane_[queue.lane];
  if (is_planned(from) && !is_planned(to)) --pages_in_lane_[queue.lane];
}

Status Plan::attach(Pages& pages, std::string_view saved) {
  pages_ = &pages;
  if (!saved.empty()) {
    ByteReader in(saved);
    if (in.be<uint8_t>() != kSavedVersion) {
      return Error(Code::unsupported, "the frontier's part of the checkpoint is of another version; use a newer one");
    }
    paused_ = in.be<uint8_t>() != 0;
    last_time_ = Instant{Millis{in.zigzag()}};
    for (uint64_t& count : refused_) count = in.varint();
    ADUANA_TRY(leases_.load(in.sized()));
    birthdays_.load(in);
    policy_ = in.sized();
    learned_ = in.sized();
    ADUANA_TRY(schedule_->load_addresses(in));
    if (!in.ok() || !in.at_end()) return Error(Code::corrupt, "the frontier's part of the checkpoint can't be decoded");
    if (options_.recrawl && options_.recrawl->name() == policy_) ADUANA_TRY(options_.recrawl->load(learned_));
  }
  for (PageIdx page{0}; page.value < pages.size(); ++page.value) {
    ADUANA_ASSIGN(const PageRecord record, pages.record(page));
    ranks_.enter(page, record);
    if (record.state == PageState::deleted) continue;
    Queue& queue = queue_of(record.queue);
    count(queue, record.queue, std::nullopt, record.state);
    bool crawled = record.state == PageState::done || record.state == PageState::scheduled;
    if (!crawled && record.detail) {
      ADUANA_ASSIGN(const DetailRecord detail, pages.detail(record.detail - 1));
      crawled = detail.n_crawls > 0;
    }
    queue.crawled += crawled;
    if (record.state == PageState::queued) {
      ADUANA_ASSIGN(const OrderKey key, key_of(page, record));
      schedule_->add(record.queue, page, key, last_time_);
    } else if (record.state == PageState::scheduled) {
      ADUANA_ASSIGN(const Instant due, due_of(record));
      due_.append(due_entry(due, page));
    }
  }
  for (uint32_t id = 0; id < pages.host_records(); ++id) {
    char bytes[Queue::kRecordBytes];
    ADUANA_TRY(pages.read_host_record({id}, bytes));
    // Also of a queue whose pages are all deleted: the host still remembers us.
    if (std::any_of(std::begin(bytes), std::end(bytes), [](char c) { return c != 0; })) {
      queue_of({id}).decode(bytes);
      schedule_->restore_address({id});
    }
  }
  return {};
}

Status Plan::start() {
  due_.heapify();
  schedule_->start(last_time_);
  return {};
}

Status Plan::save_queue(HostId id) {
  static_assert(Queue::kRecordBytes == Pages::kHostRecordBytes);
  char bytes[Queue::kRecordBytes];
  schedule_->queue(id).encode(bytes);
  return pages_->put_host_record(id, bytes);
}

Status Plan::coming(const Event& event, bool again) { return ranks_.hear(event, again, *pages_); }

Status Plan::born(PageIdx page, const NewUrl& url, Instant now, PageRecord& record) {
  note_time(now);
  birthdays_.note(page, now);
  ranks_.enter(page, record);
  const Queue& queue = queue_of(record.queue);
  if (record.state != PageState::known) return {};  // it is being crawled already
  const auto refusal =
      refusal_of(options_.limits, url.url, record.depth == 0, record, planned_in(queue), pages_in_lane_[queue.lane]);
  if (refusal) {
    ++refused_[static_cast<size_t>(*refusal)];
  } else {
    record.state = PageState::queued;
  }
  return {};
}

Status Plan::crawled(PageIdx page, const Event& event, const PageRecord& before, PageRecord& record,
                     DetailRecord& detail) {
  const Instant now{Millis{event.now_ms}};
  note_time(now);
  leases_.remove(page);
  std::optional<Millis> took;
  if (event.fetch_ms) took = Millis{static_cast<int64_t>(*event.fetch_ms)};
  schedule_->finished(before.queue, true, took, now);
  ADUANA_TRY(save_queue(before.queue));
  // What it links may be worth more now; those that are new stand by that already.
  for (const PageIdx link : ranks_.links()) {
    if (link.value < event.first_new) ADUANA_TRY(put_by_score(link, now));
  }
  detail.due = Instant{};
  if (detail.n_crawls == 1) ++schedule_->queue(before.queue).crawled;
  if (!options_.recrawl) return {};
  ADUANA_ASSIGN(const DetailRecord old,
                before.detail ? pages_->detail(before.detail - 1) : Result<DetailRecord>(DetailRecord{}));
  CrawlHistory history{page,
                       {},
                       record.score,
                       detail.n_crawls,
                       detail.n_changes,
                       detail.first_crawl,
                       detail.last_crawl,
                       old.n_crawls ? old.last_crawl : Instant{},
                       detail.n_changes > old.n_changes,
                       old.n_crawls ? old.due : Instant{}};
  UrlLog::Snapshot::Cursor cursor;
  if (options_.recrawl->needs_url()) {
    ADUANA_ASSIGN(const Birth birth, pages_->birth(page, cursor));
    history.url = birth.url;
  }
  if (const auto next = options_.recrawl->next_visit(history, now)) {
    record.state = PageState::scheduled;
    detail.due = std::clamp(*next, Instant{Millis{1}}, kLastInstant);
  }
  return {};
}

Status Plan::stored(PageIdx page, std::optional<PageState> before, const PageRecord& record, Instant now) {
  count(queue_of(record.queue), record.queue, before, record.state);
  if (record.state == PageState::queued) {
    ranks_.renew(page, record);
    ADUANA_ASSIGN(const OrderKey key, key_of(page, record));
    schedule_->add(record.queue, page, key, now);
  } else if (record.state == PageState::scheduled) {
    ADUANA_ASSIGN(const Instant due, due_of(record));
    due_.push(due_entry(due, page));
    drop_old_dues();
  }
  // Its best page may be another now, or one more may be in flight.
  if (before) schedule_->settle(record.queue, now);
  return {};
}

// Entries of pages that were crawled before they were due must not pile up.
void Plan::drop_old_dues() {
  constexpr size_t kSlack = 1024;
  if (due_.size() < 2 * pages_->counts().by_state[static_cast<size_t>(PageState::scheduled)] + kSlack) return;
  std::unordered_set<PageIdx> seen;
  due_.filter([&](const PendingEntry& entry) {
    const auto record = pages_->record(entry.page());
    if (!record || record->state != PageState::scheduled) return false;
    const auto due = due_of(*record);
    return due && due_entry(*due, entry.page()) == entry && seen.insert(entry.page()).second;
  });
}

// Of the pages that are merely known, those that the limits on numbers leave room for are queued.
Result<std::string> Plan::wanted(std::span<const PageIdx> pages) {
  Action action;
  action.kind = ActionKind::woken;
  std::unordered_set<PageIdx> seen;
  std::unordered_map<uint32_t, uint64_t> more_in_queue, more_in_lane;
  UrlLog::Single single;
  for (const PageIdx page : pages) {
    ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
    if (record.state != PageState::known || !seen.insert(page).second) continue;
    ADUANA_ASSIGN(const Birth birth, pages_->birth_alone(page, single));
    const Queue& queue = schedule_->queue(record.queue);
    uint64_t& in_queue = more_in_queue[record.queue.value];
    uint64_t& in_lane = more_in_lane[queue.lane];
    const auto refusal = refusal_of(options_.limits, birth.url, true, record, planned_in(queue) + in_queue,
                                    pages_in_lane_[queue.lane] + in_lane);
    if (refusal) continue;
    action.pages.push_back(page);
    ++in_queue;
    ++in_lane;
  }
  return action.pages.empty() ? std::string() : action.encode();
}

Status Plan::deleted(PageIdx page, const PageRecord& before) {
  leases_.remove(page);
  count(schedule_->queue(before.queue), before.queue, before.state, std::nullopt);
  return {};
}

Status Plan::emptied(HostId queue, Instant now) {
  note_time(now);
  if (!schedule_->has_queue(queue)) return {};
  schedule_->empty_queue(queue, now);
  return save_queue(queue);
}

// True if it stood elsewhere. The entry that it had is left behind.
Result<bool> Plan::put_by_score(PageIdx page, Instant now) {
  if (!ranks_.moved(page)) return false;
  ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
  if (record.state != PageState::queued) return false;
  ranks_.renew(page, record);
  ADUANA_ASSIGN(const OrderKey key, key_of(page, record));
  schedule_->rekey(record.queue, page, key, now);
  return true;
}

Result<uint64_t> Plan::rescore(PageIdx from, PageIdx to, Instant now) {
  uint64_t moved = 0;
  for (PageIdx page = from; page < to; ++page.value) {
    ADUANA_ASSIGN(const bool put, put_by_score(page, now));
    moved += put;
  }
  return moved;
}

// Of a page that stays in its queue: another state, and what follows from it.
Status Plan::move(PageIdx page, PageState to, Instant now) {
  ADUANA_ASSIGN(const PageRecord before, pages_->record(page));
  PageRecord after = before;
  after.state = to;
  ADUANA_TRY(pages_->put_record(page, before, after));
  return stored(page, before.state, after, now);
}

Status Plan::happened(std::string_view payload, Instant now) {
  ADUANA_ASSIGN(const Action action, Action::decode(payload));
  note_time(now);
  switch (action.kind) {
    case ActionKind::granted:
      return apply_grant(action, now);
    case ActionKind::returned:
    case ActionKind::released:
      for (const PageIdx page : action.pages) {
        if (leases_.remove(page)) ADUANA_TRY(move(page, PageState::queued, now));
      }
      return {};
    case ActionKind::woken:
      for (const PageIdx page : action.pages) ADUANA_TRY(move(page, PageState::queued, now));
      return {};
    case ActionKind::failed:
      return apply_failure(action, now);
    case ActionKind::control:
      return apply_control(action, now);
    case ActionKind::paused:
      paused_ = action.on;
      return {};
  }
  return {};
}

Status Plan::apply_grant(const Action& action, Instant now) {
  const bool counted = std::exchange(granting_, false);
  for (const PageIdx page : action.pages) {
    ADUANA_ASSIGN(const PageRecord before, pages_->record(page));
    PageRecord after = before;
    after.state = PageState::leased;
    ADUANA_TRY(pages_->put_record(page, before, after));
    leases_.add(page, action.until);
    if (!counted) {
      schedule_->recount(before.queue, before.state, PageState::leased);
      schedule_->granted(before.queue, now);
    }
    ADUANA_TRY(save_queue(before.queue));
  }
  return {};
}

Status Plan::apply_failure(const Action& action, Instant now) {
  const PageIdx page = action.pages.at(0);
  const auto kind = static_cast<FailureKind>(action.failure);
  leases_.remove(page);
  ADUANA_ASSIGN(PageRecord before, pages_->record(page));
  ADUANA_ASSIGN(const uint64_t number, pages_->detail_number(page, before));
  ADUANA_ASSIGN(const DetailRecord detail, pages_->detail(number));
  DetailRecord failed = detail;
  if (failed.failures < UINT8_MAX) ++failed.failures;
  ADUANA_TRY(pages_->put_detail(number, detail, failed));
  if (kind != FailureKind::excluded) {
    std::optional<Millis> took;
    if (action.fetch_ms_plus_1) took = Millis{static_cast<int64_t>(action.fetch_ms_plus_1 - 1)};
    schedule_->finished(before.queue, kind != FailureKind::temporary, took, now);
    ADUANA_TRY(save_queue(before.queue));
  }
  const bool again = kind == FailureKind::temporary && failed.failures <= options_.max_retries;
  return move(page, again ? PageState::queued : PageState::gone, now);
}

Status Plan::apply_control(const Action& action, Instant now) {
  Queue& queue = queue_of(action.queue);
  queue.blocked_until = action.until;
  queue.delay.reset();
  if (action.delay_ms_plus_1) queue.delay = Millis{static_cast<int64_t>(action.delay_ms_plus_1 - 1)};
  queue.crawl_delay = Millis{static_cast<int64_t>(action.crawl_delay_ms)};
  queue.limit = action.limit;
  schedule_->set_address(action.queue, action.address, now);
  schedule_->settle(action.queue, now);
  return save_queue(action.queue);
}

std::string Plan::save() const {
  std::string out;
  out.push_back(static_cast<char>(kSavedVersion));
  out.push_back(paused_ ? 1 : 0);
  append_zigzag(out, last_time_.time_since_epoch().count());
  for (const uint64_t count : refused_) append_varint(out, count);
  append_sized(out, leases_.save());
  birthdays_.save(out);
  append_sized(out, options_.recrawl ? options_.recrawl->name() : policy_);
  append_sized(out, options_.recrawl ? options_.recrawl->save() : learned_);
  schedule_->save_addresses(out, last_time_);
  return out;
}

}  // namespace aduana
