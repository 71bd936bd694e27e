#include "frontier/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/checksum.h"
#include "base/time_bytes.h"
#include "pages/queue_name.h"

namespace aduana {
namespace {

constexpr size_t kPagesAtOnce = 10'000;  // in one event, of leases that ended or pages that are due

Instant time_of(const PendingEntry& entry) { return Instant{Millis{static_cast<int64_t>(entry.key())}}; }

}  // namespace

Status Plan::test_lease(Millis lease) {
  constexpr Millis kLongestLease = std::chrono::days(3650);
  if (lease <= Millis{0}) return Error(Code::invalid, "a lease must be longer than 0");
  if (lease > kLongestLease) return Error(Code::invalid, "a lease is longer than ten years");
  return {};
}

Result<std::unique_ptr<Plan>> Plan::make(const FrontierOptions& options, PendingBudget::OpenFile spill_file) {
  ADUANA_TRY(test_lease(options.lease));
  ADUANA_TRY(options.scoring.check());
  std::unique_ptr<Plan> plan(new Plan(options));
  const auto key_of = [p = plan.get()](PageIdx page) -> std::optional<OrderKey> {
    const auto record = p->pages_->record(page);
    if (!record || record->state != PageState::queued) return std::nullopt;
    const auto key = p->key_of(page, *record);
    return key ? std::optional(*key) : std::nullopt;
  };
  ADUANA_ASSIGN(plan->schedule_, Schedule::make(options, key_of, std::move(spill_file)));
  return plan;
}

PendingEntry Plan::due_entry(Instant due, PageIdx page) {
  return {static_cast<OrderKey>(std::clamp(due, Instant{}, kLastInstant).time_since_epoch().count()), page};
}

// ---- what is where

Result<Instant> Plan::due_of(const PageRecord& record) {
  if (!record.detail) return Instant{};
  ADUANA_ASSIGN(const DetailRecord detail, pages_->detail(record.detail - 1));
  return detail.due;
}

Result<OrderKey> Plan::key_of(PageIdx page, const PageRecord& record) {
  PageFacts facts{page, ranks_.for_key(page, record), record.depth, record.domain_depth, record.priority, {}};
  if (options_.order->needs_date()) {
    ADUANA_ASSIGN(facts.date, due_of(record));
    if (facts.date == Instant{}) facts.date = birthdays_.of(page);
  }
  return std::min(options_.order->key(facts), kLastOrderKey);
}

uint32_t Plan::lane_for(std::string_view crawl) {
  const auto found = lanes_.find(crawl);
  if (found != lanes_.end()) return found->second;
  const auto lane = static_cast<uint32_t>(lanes_.size());
  lanes_.emplace(crawl, lane);
  pages_in_lane_.push_back(0);
  return lane;
}

Queue& Plan::queue_of(HostId id) {
  if (schedule_->has_queue(id)) return schedule_->queue(id);
  const std::string_view name = pages_->hosts().name_of(id);
  return schedule_->open_queue(id, aduana::key_of(name), lane_for(crawl_of(name)));
}

std::optional<uint32_t> Plan::lane_of(std::string_view crawl) const {
  const auto found = lanes_.find(crawl);
  return found == lanes_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<HostId> Plan::find_queue(std::string_view crawl, std::string_view key) const {
  const std::string scoped = queue_name(crawl, key, {}, QueueBy::host);
  HostId id;
  if (!pages_->hosts().find(scoped, &id) || !schedule_->has_queue(id)) return std::nullopt;
  return schedule_->queue(id).total > 0 ? std::optional(id) : std::nullopt;
}

std::optional<QueueStatus> Plan::status(HostId id, Instant now) const {
  if (!schedule_->has_queue(id) || schedule_->queue(id).total == 0) return std::nullopt;
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

Result<std::vector<PendingEntry>> Plan::pending_of(HostId id) {
  std::unordered_set<uint64_t> seen;
  std::vector<PendingEntry> pending;
  ADUANA_TRY(schedule_->queue(id).pending.for_each([&](const PendingEntry& entry) {
    const auto record = pages_->record(entry.page());
    if (!record || record->state != PageState::queued || record->queue != id) return;
    const auto key = key_of(entry.page(), *record);
    if (key && *key == entry.key() && seen.insert(entry.page().value).second) pending.push_back(entry);
  }));
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
    schedule_->recount(taken.queue, PageState::leased, PageState::queued);
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
  waking_.clear();
  while (!due_.empty() && time_of(due_.top()) <= now && action.pages.size() < kPagesAtOnce) {
    const PendingEntry entry = due_.top();
    due_.pop();
    const auto record = pages_->record(entry.page());
    if (!record || record->state != PageState::scheduled) continue;
    const auto due = due_of(*record);
    if (!due || due_entry(*due, entry.page()) != entry) continue;
    action.pages.push_back(entry.page());
    waking_.push_back(entry);
  }
  return action.pages.empty() ? std::nullopt : std::optional(action);
}

void Plan::let_sleep() {
  for (const PendingEntry& entry : waking_) due_.push(entry);
  waking_.clear();
}

Result<bool> Plan::is_said_again(const PageRecord& record, FailureKind kind) {
  if (record.state == PageState::gone) return true;
  if (record.state != PageState::queued || kind != FailureKind::temporary || !record.detail) return false;
  ADUANA_ASSIGN(const DetailRecord detail, pages_->detail(record.detail - 1));
  return detail.failures > 0;
}

Result<std::optional<Action>> Plan::fail(PageIdx page, FailureKind kind, std::optional<Millis> fetch_time) {
  ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
  ADUANA_ASSIGN(const bool again, is_said_again(record, kind));
  if (again) return std::optional<Action>();
  // A temporary failure is only told apart from its own repetition by the lease that it ends.
  if (record.state != PageState::leased && (record.state != PageState::queued || kind == FailureKind::temporary)) {
    return Error(Code::invalid, fmt::format("the page is {}, not leased", name_of(record.state)));
  }
  Action action;
  action.kind = ActionKind::failed;
  action.pages = {page};
  action.failure = static_cast<uint8_t>(kind);
  if (fetch_time) action.fetch_ms_plus_1 = static_cast<uint64_t>(std::max<int64_t>(fetch_time->count(), 0)) + 1;
  return std::optional(action);
}

Result<std::optional<Action>> Plan::release(PageIdx page) {
  ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
  if (record.state == PageState::queued) return std::optional<Action>();
  if (record.state != PageState::leased) {
    return Error(Code::invalid, fmt::format("the page is {}, not leased", name_of(record.state)));
  }
  Action action;
  action.kind = ActionKind::released;
  action.pages = {page};
  return std::optional(action);
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
    if (*delay > kLongestDelay) return Error(Code::invalid, "the delay of a queue is longer than 49 days");
    action.delay_ms_plus_1 = static_cast<uint64_t>(delay->count()) + 1;
  }
  const Millis crawl_delay = control.crawl_delay.value_or(queue.crawl_delay);
  action.crawl_delay_ms = static_cast<uint64_t>(std::max<int64_t>(crawl_delay.count(), 0));
  action.limit = control.limit.value_or(queue.limit);
  action.address = queue.address;
  if (control.address) action.address = control.address->empty() ? 0 : checksum64(*control.address);
  return action;
}

std::optional<Instant> Plan::next_time() {
  std::optional<Instant> next = leases_.next_end();
  if (!due_.empty() && (!next || time_of(due_.top()) < *next)) next = time_of(due_.top());
  return next;
}

}  // namespace aduana
