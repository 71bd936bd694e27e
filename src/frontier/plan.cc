#include "frontier/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/time_bytes.h"
#include "frontier/admission.h"
#include "store/queue_name.h"

namespace aduana {
namespace {

constexpr uint8_t kSavedVersion = 1;
constexpr size_t kPagesAtOnce = 10'000;  // in one event, of leases that ended or pages that are due

PendingEntry due_entry(Instant due, PageIdx page) {
  return {static_cast<OrderKey>(std::clamp(due, Instant{}, kLastInstant).time_since_epoch().count()), page};
}
Instant time_of(const PendingEntry& entry) { return Instant{Millis{static_cast<int64_t>(entry.key())}}; }

bool is_planned(PageState state) { return state != PageState::known; }

}  // namespace

Result<std::unique_ptr<Plan>> Plan::make(const FrontierOptions& options) {
  if (!options.order) return Error(Code::invalid, "frontier: an order is missing");
  if (options.lease <= Millis{0}) return Error(Code::invalid, "frontier: a lease must be longer than 0");
  std::unique_ptr<Plan> plan(new Plan(options));
  ScheduleOptions schedule;
  schedule.order = options.order;
  schedule.politeness = options.politeness;
  schedule.overrides = options.overrides;
  schedule.front_levels = options.front_levels;
  schedule.bias = options.bias;
  schedule.back_queues = options.back_queues;
  schedule.seed = options.seed;
  ADUANA_ASSIGN(plan->schedule_, Schedule::make(schedule, [p = plan.get()](PageIdx page) -> std::optional<OrderKey> {
                  const auto record = p->pages_->record(page);
                  if (!record || record->state != PageState::queued) return std::nullopt;
                  const auto key = p->key_of(page, *record);
                  return key ? std::optional(*key) : std::nullopt;
                }));
  return plan;
}

// ---- what is where

Result<Instant> Plan::due_of(const PageRecord& record) {
  if (!record.detail) return Instant{};
  ADUANA_ASSIGN(const DetailRecord detail, pages_->detail(record.detail - 1));
  return detail.due;
}

Result<OrderKey> Plan::key_of(PageIdx page, const PageRecord& record) {
  PageFacts facts{page, record.score, record.depth, record.domain_depth, record.priority, {}};
  if (options_.order->needs_date()) {
    ADUANA_ASSIGN(facts.date, due_of(record));
    if (facts.date == Instant{}) facts.date = birthdays_.of(page);
  }
  return std::min(options_.order->key(facts), kLastOrderKey);
}

uint16_t Plan::lane_for(std::string_view crawl) {
  const auto found = lanes_.find(crawl);
  if (found != lanes_.end()) return found->second;
  const auto lane = static_cast<uint16_t>(lanes_.size());
  lanes_.emplace(crawl, lane);
  pages_in_lane_.push_back(0);
  return lane;
}

Queue& Plan::queue_of(HostId id) {
  if (schedule_->has_queue(id)) return schedule_->queue(id);
  const std::string_view name = pages_->hosts().name_of(id);
  return schedule_->open_queue(id, name, lane_for(crawl_of(name)));
}

std::optional<uint16_t> Plan::lane_of(std::string_view crawl) const {
  const auto found = lanes_.find(crawl);
  return found == lanes_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<HostId> Plan::find_queue(std::string_view crawl, std::string_view key) const {
  const std::string scoped = queue_name(crawl, key, {}, QueueBy::host);
  HostId id;
  if (!pages_->hosts().find(scoped, &id) || !schedule_->has_queue(id)) return std::nullopt;
  return id;
}

std::optional<QueueStatus> Plan::status(HostId id, Instant now) const {
  if (!schedule_->has_queue(id)) return std::nullopt;
  const Queue& queue = schedule_->queue(id);
  const std::string_view name = pages_->hosts().name_of(id);
  QueueStatus status;
  status.crawl = crawl_of(name);
  status.key = aduana::key_of(name);
  for (size_t i = 0; i < kPageStates; ++i) status.pages[i] = queue.pages[i];
  status.temperature = queue.temperature.at(now, schedule_->window_of(queue));
  status.next_time = schedule_->ready_at(queue);
  status.delay = queue.delay;
  status.blocked_until = queue.blocked_until;
  status.limit = queue.limit;
  status.failures_in_a_row = queue.failures_in_a_row;
  return status;
}

std::vector<PendingEntry> Plan::pending_of(HostId id) {
  std::unordered_set<uint64_t> seen;
  std::vector<PendingEntry> pending;
  for (const PendingEntry& entry : schedule_->queue(id).pending.entries()) {
    const auto record = pages_->record(entry.page());
    if (!record || record->state != PageState::queued || record->queue != id) continue;
    const auto key = key_of(entry.page(), *record);
    if (key && *key == entry.key() && seen.insert(entry.page().value).second) pending.push_back(entry);
  }
  return pending;
}

// ---- decisions

std::optional<Action> Plan::grant(size_t n, const RequestOptions& options, Instant now, Grant& grant) {
  if (paused_ || n == 0) return std::nullopt;
  TakeOptions take;
  take.per_queue = options.per_queue;
  if (!options.queue.empty()) {
    take.queue = find_queue(options.crawl, options.queue);
    if (!take.queue) return std::nullopt;
  } else if (!options.crawl.empty()) {
    take.lane = lane_of(options.crawl);
    if (!take.lane) return std::nullopt;
  }
  grant.taken = schedule_->take(n, take, now);
  if (grant.taken.empty()) return std::nullopt;
  grant.until = now + options.lease.value_or(options_.lease);
  Action action;
  action.kind = ActionKind::granted;
  action.until = grant.until;
  for (const Taken& taken : grant.taken) action.pages.push_back(taken.page);
  granting_ = true;
  return action;
}

void Plan::take_back(const Grant& grant, Instant now) {
  granting_ = false;
  for (const Taken& taken : grant.taken) {
    Queue& queue = schedule_->queue(taken.queue);
    --queue.count(PageState::leased);
    ++queue.count(PageState::queued);
    schedule_->add(taken.queue, taken.page, taken.key, now);
    schedule_->settle(taken.queue, now);
  }
}

std::optional<Action> Plan::return_ended(Instant now) {
  Action action;
  action.kind = ActionKind::returned;
  action.pages = leases_.ended(now, kPagesAtOnce);
  return action.pages.empty() ? std::nullopt : std::optional(action);
}

std::optional<Action> Plan::wake_due(Instant now) {
  Action action;
  action.kind = ActionKind::woken;
  while (!due_.empty() && time_of(due_.top()) <= now && action.pages.size() < kPagesAtOnce) {
    const PendingEntry entry = due_.top();
    due_.pop();
    const auto record = pages_->record(entry.page());
    if (!record || record->state != PageState::scheduled) continue;
    const auto due = due_of(*record);
    if (due && due_entry(*due, entry.page()) == entry) action.pages.push_back(entry.page());
  }
  return action.pages.empty() ? std::nullopt : std::optional(action);
}

Result<Action> Plan::fail(PageIdx page, FailureKind kind, std::optional<Millis> fetch_time) {
  ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
  if (record.state != PageState::leased && record.state != PageState::queued) {
    return Error(Code::invalid, fmt::format("the page is {}, not leased or queued", name_of(record.state)));
  }
  Action action;
  action.kind = ActionKind::failed;
  action.pages = {page};
  action.failure = static_cast<uint8_t>(kind);
  if (fetch_time) action.fetch_ms_plus_1 = static_cast<uint64_t>(std::max<int64_t>(fetch_time->count(), 0)) + 1;
  return action;
}

Result<Action> Plan::release(PageIdx page) {
  ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
  if (record.state != PageState::leased) {
    return Error(Code::invalid, fmt::format("the page is {}, not leased", name_of(record.state)));
  }
  Action action;
  action.kind = ActionKind::released;
  action.pages = {page};
  return action;
}

Result<Action> Plan::control(HostId id, const QueueControl& control) {
  const Queue& queue = schedule_->queue(id);
  Action action;
  action.kind = ActionKind::control;
  action.queue = id;
  action.until = control.block_until.value_or(queue.blocked_until);
  const std::optional<Millis> delay = control.delay ? *control.delay : queue.delay;
  if (delay) {
    if (*delay < Millis{0}) return Error(Code::invalid, "the delay of a queue is negative");
    action.delay_ms_plus_1 = static_cast<uint64_t>(delay->count()) + 1;
  }
  const Millis crawl_delay = control.crawl_delay.value_or(queue.crawl_delay);
  action.crawl_delay_ms = static_cast<uint64_t>(std::max<int64_t>(crawl_delay.count(), 0));
  action.limit = control.limit.value_or(queue.limit);
  return action;
}

std::optional<Instant> Plan::next_time() {
  std::optional<Instant> next = leases_.next_end();
  if (!due_.empty() && (!next || time_of(due_.top()) < *next)) next = time_of(due_.top());
  return next;
}

// ---- following the store

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
    const std::string_view recrawl = in.sized();
    if (!in.ok() || !in.at_end()) return Error(Code::corrupt, "the frontier's part of the checkpoint can't be decoded");
    if (options_.recrawl) ADUANA_TRY(options_.recrawl->load(recrawl));
  }
  for (PageIdx page{0}; page.value < pages.size(); ++page.value) {
    ADUANA_ASSIGN(const PageRecord record, pages.record(page));
    Queue& queue = queue_of(record.queue);
    ++queue.count(record.state);
    if (is_planned(record.state)) ++pages_in_lane_[queue.lane];
    if (record.state == PageState::queued) {
      ADUANA_ASSIGN(const OrderKey key, key_of(page, record));
      schedule_->add(record.queue, page, key, last_time_);
    } else if (record.state == PageState::scheduled) {
      ADUANA_ASSIGN(const Instant due, due_of(record));
      due_.append(due_entry(due, page));
    }
  }
  for (uint32_t id = 0; id < pages.host_records(); ++id) {
    if (!schedule_->has_queue({id})) continue;
    char bytes[Queue::kRecordBytes];
    ADUANA_TRY(pages.read_host_record({id}, bytes));
    if (std::any_of(std::begin(bytes), std::end(bytes), [](char c) { return c != 0; })) {
      schedule_->queue({id}).decode(bytes);
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

Status Plan::born(PageIdx page, const NewUrl& url, Instant now, PageRecord& record) {
  note_time(now);
  birthdays_.note(page, now);
  const Queue& queue = queue_of(record.queue);
  if (record.state != PageState::known) return {};  // it is being crawled already
  const uint64_t planned = queue.total() - queue.count(PageState::known);
  const auto refusal =
      refusal_of(options_.limits, url.url, record.depth == 0, record, planned, pages_in_lane_[queue.lane]);
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
  detail.due = Instant{};
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
  Queue& queue = queue_of(record.queue);
  if (before) --queue.count(*before);
  ++queue.count(record.state);
  if (is_planned(record.state) && !(before && is_planned(*before))) ++pages_in_lane_[queue.lane];
  if (record.state == PageState::queued) {
    ADUANA_ASSIGN(const OrderKey key, key_of(page, record));
    schedule_->add(record.queue, page, key, now);
  } else if (record.state == PageState::scheduled) {
    ADUANA_ASSIGN(const Instant due, due_of(record));
    due_.push(due_entry(due, page));
  }
  // Its best page may be another now, or one more may be in flight.
  if (before) schedule_->settle(record.queue, now);
  return {};
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
      Queue& queue = schedule_->queue(before.queue);
      --queue.count(before.state);
      ++queue.count(PageState::leased);
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
  append_sized(out, options_.recrawl ? options_.recrawl->save() : std::string());
  return out;
}

// ---- verifying

Status Plan::check(const std::function<void(const std::string&)>& problem) {
  std::vector<std::array<uint32_t, kPageStates>> counts(schedule_->size());
  uint64_t leased = 0;
  for (PageIdx page{0}; page.value < pages_->size(); ++page.value) {
    ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
    if (record.queue.value >= counts.size() || !schedule_->has_queue(record.queue)) {
      problem(fmt::format("page {}: its queue is not there", page.value));
      continue;
    }
    ++counts[record.queue.value][static_cast<size_t>(record.state)];
    const bool has_lease = leases_.end_of(page).has_value();
    leased += has_lease;
    if (has_lease != (record.state == PageState::leased)) {
      problem(
          fmt::format("page {}: {}, but {} a lease", page.value, name_of(record.state), has_lease ? "has" : "without"));
    }
  }
  if (leased != leases_.size()) problem(fmt::format("{} leases of pages that are not there", leases_.size() - leased));
  for (uint32_t id = 0; id < counts.size(); ++id) {
    if (!schedule_->has_queue({id})) continue;
    const Queue& queue = schedule_->queue({id});
    const std::string_view name = pages_->hosts().name_of({id});
    for (size_t state = 0; state < kPageStates; ++state) {
      if (queue.pages[state] == counts[id][state]) continue;
      problem(fmt::format("queue {}: {} pages are counted as {}, {} are", name, queue.pages[state],
                          name_of(static_cast<PageState>(state)), counts[id][state]));
    }
    const auto pending = pending_of({id});
    if (pending.size() != counts[id][static_cast<size_t>(PageState::queued)]) {
      problem(fmt::format("queue {}: {} pages are queued, {} of them are to be had", name,
                          counts[id][static_cast<size_t>(PageState::queued)], pending.size()));
    }
  }
  return {};
}

}  // namespace aduana
