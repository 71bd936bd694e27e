#include "schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aduana {
namespace {

constexpr size_t kTimersAtOnce = 4096;
constexpr unsigned kMostLevels = 64;
constexpr size_t kStaleSlack = 64;

Millis at_most(double ms, Millis cap) {
  return ms < static_cast<double>(cap.count()) ? Millis{static_cast<int64_t>(ms)} : cap;
}

// The delay that a fetch of that length asks for.
Millis delay_after(Millis fetch, const PolitenessOptions& rule) {
  return at_most(rule.fetch_factor * static_cast<double>(fetch.count()), rule.max_fetch_delay);
}

}  // namespace

Result<std::unique_ptr<Schedule>> Schedule::make(const ScheduleOptions& options, KeyOf key_of,
                                                 PendingBudget::OpenFile spill_file) {
  if (!options.order) return Error(Code::invalid, "schedule: an order is missing");
  if (options.front_levels == 0 || options.front_levels > kMostLevels) {
    return Error(Code::invalid,
                 fmt::format("schedule: {} front levels; 1 to {} are possible", options.front_levels, kMostLevels));
  }
  if (!(options.bias >= 1) || !std::isfinite(options.bias)) {
    return Error(Code::invalid, fmt::format("schedule: a bias of {}; it must be 1 or more", options.bias));
  }
  if (options.per_address.min_delay < Millis{0} || options.per_address.min_delay > kLongestDelay) {
    return Error(Code::invalid, "schedule: the minimum delay of an address is negative, or longer than 49 days");
  }
  ADUANA_ASSIGN(PolitenessRules rules, PolitenessRules::make(options.politeness, options.overrides));
  return std::unique_ptr<Schedule>(new Schedule(options, std::move(rules), std::move(key_of), std::move(spill_file)));
}

Schedule::Schedule(const ScheduleOptions& options, PolitenessRules rules, KeyOf key_of,
                   PendingBudget::OpenFile spill_file)
    : options_(options),
      rules_(std::move(rules)),
      key_of_(std::move(key_of)),
      budget_({.bytes = options.pending_bytes}, std::move(spill_file)),
      timers_(timer_places_),
      addresses_(options.per_address),
      random_(options.seed * 2 + 1) {}

Schedule::Lane& Schedule::lane(uint32_t number) {
  while (lanes_.size() <= number) {
    auto lane = std::make_unique<Lane>();
    for (unsigned level = 0; level < options_.front_levels; ++level) {
      lane->dormant.emplace_back(dormant_places_);
      for (int step = 0; step < kTemperatureSteps; ++step) lane->ready.emplace_back(ready_places_);
    }
    lanes_.push_back(std::move(lane));
  }
  return *lanes_[number];
}

Queue& Schedule::open_queue(HostId id, std::string_view key, uint32_t lane_number) {
  if (id.value >= queues_.size()) queues_.resize(id.value + 1);
  auto& queue = queues_[id.value];
  if (!queue) {
    queue = std::make_unique<Queue>();
    queue->lane = lane_number;
    queue->rule = rules_.rule_for(key);
    lane(lane_number);
  }
  return *queue;
}

void Schedule::start(Instant now) {
  started_ = true;
  for (uint32_t i = 0; i < queues_.size(); ++i) {
    if (!queues_[i]) continue;
    queues_[i]->pending.heapify();
    place({i}, *queues_[i], now);
  }
}

void Schedule::add(HostId id, PageIdx page, OrderKey key, Instant now) {
  Queue& q = queue(id);
  const PendingEntry entry(key, page);
  if (!started_) {
    change_pending(q, [&](PendingQueue& pending) { pending.append(entry); });
    return;
  }
  const bool better = q.pending.empty() || entry < q.pending.top();
  change_pending(q, [&](PendingQueue& pending) { pending.push(entry); });
  if (better) place(id, q, now);
  drop_left_behind(id, q, now);
}

void Schedule::rekey(HostId id, PageIdx page, OrderKey key, Instant now) {
  const Queue& q = queue(id);
  const bool was_best = !q.pending.empty() && q.pending.top().page() == page;
  add(id, page, key, now);
  if (was_best) settle(id, now);
}

// Entries left behind must not pile up where nothing is taken. When a third of them is, each new one has eight others
// looked at, so that they get fewer without anybody having to wait. It may not help: those on disk are not looked at,
// and a page that was queued again with the key that it had is there twice. Then all are gone through, at last.
void Schedule::drop_left_behind(HostId id, Queue& q, Instant now) {
  const size_t entries = q.pending.size(), queued = q.count(PageState::queued);
  if (2 * entries <= 3 * queued + kStaleSlack) return;
  const PendingEntry top = q.pending.top();
  if (entries <= 3 * queued + kStaleSlack) {
    const auto is_current = [&](const PendingEntry& e) { return key_of_(e.page()) == e.key(); };
    swept_ += 0x9e3779b97f4a7c15;  // visits all places evenly
    change_pending(q, [&](PendingQueue& pending) { (void)pending.sweep(swept_ >> 16, is_current); });
  } else {
    std::unordered_set<PageIdx> seen;
    const auto is_current = [&](const PendingEntry& e) {
      return key_of_(e.page()) == e.key() && seen.insert(e.page()).second;
    };
    change_pending(q, [&](PendingQueue& pending) { (void)pending.filter(is_current); });
  }
  if (q.pending.empty() || q.pending.top() != top) place(id, q, now);
}

void Schedule::recount(HostId id, std::optional<PageState> from, std::optional<PageState> to) {
  Queue& q = queue(id);
  if (from) {
    --q.pages[static_cast<size_t>(*from)];
  } else if (q.total++ == 0) {
    ++filled_;
  }
  if (to) {
    ++q.pages[static_cast<size_t>(*to)];
  } else if (--q.total == 0) {
    --filled_;
  }
  if (q.address_id == kNoAddress) return;
  if (from == PageState::leased) addresses_.add_in_flight(q.address_id, -1);
  if (to == PageState::leased) addresses_.add_in_flight(q.address_id, 1);
}

void Schedule::set_address(HostId id, uint64_t hash, Instant now) {
  Queue& q = queue(id);
  if (q.address == hash) return;
  withdraw(id, q);
  if (const AddressId old = std::exchange(q.address_id, kNoAddress); old != kNoAddress) {
    addresses_.add_in_flight(old, -int64_t{q.count(PageState::leased)});
    seat_delegates(old, now);
  }
  q.address = hash;
  restore_address(id);
}

void Schedule::restore_address(HostId id) {
  Queue& q = queue(id);
  if (q.address == 0) return;
  q.address_id = addresses_.number_of(q.address);
  addresses_.add_in_flight(q.address_id, q.count(PageState::leased));
  addresses_.requested(q.address_id, q.last_request);
}

void Schedule::empty_queue(HostId id, Instant now) {
  Queue& q = queue(id);
  change_pending(q, [](PendingQueue& pending) { pending.clear(); });
  q.blocked_until = {};
  q.delay.reset();
  q.limit = 0;
  q.crawled = 0;
  settle(id, now);
}

void Schedule::settle(HostId id, Instant now) {
  if (started_) place(id, queue(id), now);
}

void Schedule::drop_stale_top(Queue& q) {
  while (!q.pending.empty()) {
    const PendingEntry& top = q.pending.top();
    // A page may be here twice, when it was queued again with the key that it had.
    if (key_of_(top.page()) == top.key() && !in_hand_.contains(top.page())) return;
    change_pending(q, [](PendingQueue& pending) { (void)pending.pop(); });
  }
}

void Schedule::withdraw(HostId id, Queue& q) {
  if (q.ready_heap >= 0) {
    if (q.address_id != kNoAddress) addresses_.leave(q.address_id, q.lane, id);
    remove_ready(q.lane, id, q);  // unless another is the delegate of its address
  }
  if (q.dormant) {
    for (auto& heap : lane(q.lane).dormant) {
      if (heap.remove(id)) break;
    }
  }
  if (q.has_timer) timers_.remove(id);
  q.ready_heap = -1;
  q.dormant = q.has_timer = false;
}

void Schedule::put_ready(uint32_t number, HostId id, const Queue& q) {
  Lane& its_lane = lane(number);
  const bool entered = its_lane.ready[static_cast<size_t>(q.ready_heap)].put(id, q.pending.top());
  if (entered && ++its_lane.n_ready == 1) ready_lanes_.insert(number);
}

void Schedule::remove_ready(uint32_t number, HostId id, const Queue& q) {
  Lane& its_lane = lane(number);
  const bool left = q.ready_heap >= 0 && its_lane.ready[static_cast<size_t>(q.ready_heap)].remove(id);
  if (left && --its_lane.n_ready == 0) ready_lanes_.erase(number);
}

Instant Schedule::ready_alone_at(const Queue& q) const {
  Instant at = std::max({q.next_time, q.blocked_until, q.backed_off_until});
  const auto& rule = rules_.rule(q.rule);
  if (rule.options.has_temperature() && q.temperature.value > rule.limits.back()) {
    at = std::max(at, q.temperature.cool_at(rule.limits.back(), rule.options.window));
  }
  return at;
}

Instant Schedule::ready_at(const Queue& q) const {
  const Instant alone = ready_alone_at(q);
  return q.address_id == kNoAddress ? alone : std::max(alone, addresses_.next_time(q.address_id));
}

void Schedule::place(HostId id, Queue& q, Instant now) {
  if (q.set_aside) return;
  withdraw(id, q);
  place_alone(id, q, now);
  if (q.address_id != kNoAddress) seat_delegates(q.address_id, now);
}

void Schedule::place_alone(HostId id, Queue& q, Instant now) {
  drop_stale_top(q);
  if (q.pending.empty()) return retire(q, now);
  const auto wait_until = [&](Instant t) {
    timers_.put(id, t);
    q.has_timer = true;
  };
  // Not to be crawled for a while, or ever: its back queue goes to another host. (Delays keep it.)
  const bool spent = q.limit > 0 && q.crawled >= q.limit;
  const Instant kept_off = std::max(q.blocked_until, q.backed_off_until);
  if (spent || kept_off > now) {
    if (!spent) wait_until(kept_off);
    return retire(q, now);
  }
  Lane& its_lane = lane(q.lane);
  const size_t level = options_.order->level(q.pending.top().key(), options_.front_levels);
  if (!q.active) {
    if (options_.back_queues > 0 && its_lane.active >= options_.back_queues) {
      its_lane.dormant[level].put(id, q.pending.top());
      q.dormant = true;
      return;
    }
    q.active = true;
    ++its_lane.active;
  }
  const uint32_t most_in_flight = rules_.rule(q.rule).options.max_in_flight;
  if (most_in_flight > 0 && q.count(PageState::leased) >= most_in_flight) return;
  if (const Instant at = ready_alone_at(q); at > now) return wait_until(at);
  const auto& rule = rules_.rule(q.rule);
  size_t step = 0;
  if (rule.options.has_temperature()) {
    const double temperature = q.temperature.at(now, rule.options.window);
    while (step + 1 < kTemperatureSteps && temperature > rule.limits[step]) ++step;
    if (step > 0) wait_until(q.temperature.cool_at(rule.limits[step - 1], rule.options.window));
  }
  q.ready_heap = static_cast<int16_t>(level * kTemperatureSteps + step);
  if (q.address_id != kNoAddress) {
    addresses_.enter(q.address_id, q.lane, id, {static_cast<int>(step), q.pending.top()});
  } else {
    put_ready(q.lane, id, q);
  }
}

void Schedule::seat_delegates(AddressId id, Instant now) {
  for (Addresses::Seat& seat : addresses_.seats(id)) {
    const auto chosen = addresses_.choose(id, seat, now);
    if (seat.delegate && seat.delegate != chosen) remove_ready(seat.lane, *seat.delegate, queue(*seat.delegate));
    seat.delegate = chosen;
    if (chosen) put_ready(seat.lane, *chosen, queue(*chosen));
  }
}

// It does not need its back queue any more: that goes to the next host that waits for one.
void Schedule::retire(Queue& q, Instant now) {
  if (!q.active) return;
  q.active = false;
  Lane& its_lane = lane(q.lane);
  --its_lane.active;
  while (options_.back_queues > 0 && its_lane.active < options_.back_queues) {
    const size_t level = choose(its_lane.dormant, 0, 1);
    if (level == its_lane.dormant.size()) return;
    const HostId next = its_lane.dormant[level].top();
    place(next, queue(next), now);
  }
}

// One of heaps[first], heaps[first + stride], … that is not empty, each `bias` times as likely as the one behind it;
// heaps.size() if all are empty.
size_t Schedule::choose(const std::vector<QueueHeap<PendingEntry>>& heaps, size_t first, size_t stride) {
  if (options_.front_levels == 1) return heaps[first].empty() ? heaps.size() : first;
  double total = 0, weight = 1;
  size_t filled = 0, last = heaps.size();
  for (size_t i = first; i < heaps.size(); i += stride, weight /= options_.bias) {
    if (heaps[i].empty()) continue;
    total += weight;
    last = i;
    ++filled;
  }
  if (filled < 2) return last;
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  double left = static_cast<double>(random_ >> 11) * 0x1p-53 * total;
  weight = 1;
  for (size_t i = first; i < heaps.size(); i += stride, weight /= options_.bias) {
    if (heaps[i].empty()) continue;
    if ((left -= weight) < 0) return i;
  }
  return last;
}

std::optional<HostId> Schedule::best_of(Lane& from) {
  for (size_t step = 0; step < kTemperatureSteps; ++step) {
    const size_t heap = choose(from.ready, step, kTemperatureSteps);
    if (heap < from.ready.size()) return from.ready[heap].top();
  }
  return std::nullopt;
}

std::optional<HostId> Schedule::best(const TakeOptions& options, Instant now) {
  if (options.queue) {
    if (!has_queue(*options.queue)) return std::nullopt;
    const Queue& q = queue(*options.queue);
    const bool open = q.address_id == kNoAddress || addresses_.is_open(q.address_id, now);
    return q.ready_heap >= 0 && open ? options.queue : std::nullopt;
  }
  if (options.lane) return *options.lane < lanes_.size() ? best_of(*lanes_[*options.lane]) : std::nullopt;
  if (ready_lanes_.empty()) return std::nullopt;
  auto turn = ready_lanes_.lower_bound(turn_);
  if (turn == ready_lanes_.end()) turn = ready_lanes_.begin();
  turn_ = *turn + 1;
  return best_of(*lanes_[*turn]);
}

std::vector<Taken> Schedule::take(size_t n, const TakeOptions& options, Instant now) {
  std::vector<Taken> taken;
  if (n == 0) return taken;
  bool more_timers = !run_timers(now);
  std::unordered_map<uint32_t, uint32_t> given;  // of a queue, when that is limited
  std::vector<HostId> aside;
  while (taken.size() < n) {
    const auto id = best(options, now);
    if (!id) {
      if (!more_timers) break;
      more_timers = !run_timers(now);
      continue;
    }
    Queue& q = queue(*id);
    const PendingEntry entry = q.pending.top();
    change_pending(q, [](PendingQueue& pending) { (void)pending.pop(); });
    recount(*id, PageState::queued, PageState::leased);
    taken.push_back({entry.page(), *id, entry.key()});
    in_hand_.insert(entry.page());
    granted(*id, now);
    if (options.per_queue > 0 && ++given[id->value] >= options.per_queue) {
      withdraw(*id, q);
      if (q.address_id != kNoAddress) seat_delegates(q.address_id, now);
      q.set_aside = true;
      aside.push_back(*id);
    } else {
      place(*id, q, now);
    }
  }
  for (const HostId id : aside) {
    queue(id).set_aside = false;
    place(id, queue(id), now);
  }
  // clear() would go over all the room that the largest request ever needed.
  if (!in_hand_.empty()) decltype(in_hand_)().swap(in_hand_);
  return taken;
}

void Schedule::granted(HostId id, Instant now) {
  Queue& q = queue(id);
  const PolitenessOptions& rule = rules_.rule(q.rule).options;
  const Millis delay = std::max({q.delay.value_or(rule.min_delay), delay_after(q.last_fetch, rule),
                                 std::min(q.crawl_delay, rule.max_crawl_delay)});
  q.next_time = std::max(q.next_time, now + delay);
  if (rule.has_temperature()) q.temperature.heat(now, rule.window);
  q.last_request = now;
  if (q.address_id != kNoAddress) addresses_.requested(q.address_id, now);
}

void Schedule::finished(HostId id, bool success, std::optional<Millis> took, Instant now) {
  Queue& q = queue(id);
  const PolitenessOptions& rule = rules_.rule(q.rule).options;
  if (took) {
    q.last_fetch = *took;
    q.next_time = std::max(q.next_time, now + delay_after(*took, rule));
  }
  if (success) {
    q.failures_in_a_row = 0;
  } else if (rule.first_back_off > Millis{0}) {
    constexpr uint8_t kMostDoublings = 30;
    q.failures_in_a_row = std::min<uint8_t>(q.failures_in_a_row + 1, kMostDoublings);
    const double pause = static_cast<double>(rule.first_back_off.count()) * std::exp2(q.failures_in_a_row - 1);
    q.backed_off_until = std::max(q.backed_off_until, now + at_most(pause, rule.max_back_off));
  }
}

bool Schedule::run_timers(Instant now) {
  size_t most = kTimersAtOnce;
  for (; !timers_.empty() && timers_.top_key() <= now; --most) {
    if (most == 0) return false;
    const HostId id = timers_.top();
    place(id, queue(id), now);
  }
  for (; addresses_.next_timer() && *addresses_.next_timer() <= now; --most) {
    if (most == 0) return false;
    seat_delegates(addresses_.take_first_timer(), now);
  }
  return true;
}

}  // namespace aduana
