// The schedule: which page next. It holds the queues, knows which of them may be given out now, and takes the best
// pages from those.
//
//   pending pages   of each queue, by the key that the order gives: the best in memory, tails on disk when all together
//                   are over the budget                                            (PendingQueue, PendingBudget)
//   ready           queues that may be given out now, by their best page: a heap for each front level and step of
//                   temperature                                                                   (QueueHeap)
//   timers          queues for which something changes with time: a delay is over, a block, a step of cooling
//   parked          in none of these: nothing pending, or the limit in flight is reached. What ends that wakes them.
//   behind an address   ready by their own limits, but not the best of the IP address that they share      (Addresses)
//
// Taking a page puts its queue where its new delay, temperature and leases say, before the next one is looked for: so
// no request, however large, gets more of a queue than politeness allows. A request walks only the queues that it
// returns pages of, and the timers that ran out since the last.
//
// Mercator's scheme is configuration of this: with `front_levels` F the ready heaps are F front queues, of which one is
// chosen at random, each `bias` times as likely as the next lower one; with `back_queues` B at most B queues are active
// at a time, and another becomes so only when one of them has nothing left or may not be crawled (docs/frontier.md).
//
// Entries of pages that left their queue by another way than take() stay in its heap until they come to its top: there
// they are told by asking `key_of`, and dropped. The top of a queue that is ready is never such an entry.
//
// Not thread-safe. Time is handed in and must not go back. Nothing here survives the process: it is made again from the
// page records. When pages that were put on disk can't be read, health() tells.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "aduana/schedule_options.h"
#include "base/ids.h"
#include "schedule/pending_budget.h"
#include "schedule/politeness.h"
#include "schedule/queue.h"
#include "schedule/queue_heap.h"

namespace aduana {

struct Taken {
  PageIdx page;
  HostId queue;
  OrderKey key = 0;
};

struct TakeOptions {
  std::optional<uint32_t> lane;  // of one crawl only
  std::optional<HostId> queue;   // of one queue only
  uint32_t per_queue = 0;        // no more of a queue than this in one call; 0: as politeness allows
};

class Schedule {
 public:
  // The key of a page if it is queued; nothing if it is in another state.
  using KeyOf = std::function<std::optional<OrderKey>(PageIdx)>;

  // `spill_file` makes the file for pending pages beyond options.pending_bytes; without it all stay in memory.
  static Result<std::unique_ptr<Schedule>> make(const ScheduleOptions& options, KeyOf key_of,
                                                PendingBudget::OpenFile spill_file = {});

  Status health() const { return budget_.health(); }

  // The queue, made if it is not there.
  Queue& open_queue(HostId id, std::string_view key, uint32_t lane);
  bool has_queue(HostId id) const { return id.value < queues_.size() && queues_[id.value]; }
  const Queue& queue(HostId id) const { return *queues_[id.value]; }
  // For changes; to be followed by settle().
  Queue& queue(HostId id) { return *queues_[id.value]; }
  size_t size() const { return queues_.size(); }  // numbers of queues are below this
  size_t filled() const { return filled_; }       // queues that have a page, in any state

  // Before start() nothing is placed: queues can be filled in any order.
  void start(Instant now);

  // Counts a page of the queue in another state; nothing stands for a page that is not there. To be followed by
  // settle().
  void recount(HostId id, std::optional<PageState> from, std::optional<PageState> to);
  // The queue is on the address with this hash; 0: that is unknown.
  void set_address(HostId id, uint64_t hash, Instant now);
  // Of a queue that was decoded from its record.
  void restore_address(HostId id);
  // Delays of addresses that go on, which are not those of the queues that are on them now.
  void save_addresses(std::string& out, Instant now) const { addresses_.save(out, now); }
  Status load_addresses(ByteReader& in) {
    return addresses_.load(in) ? Status() : Status(Error(Code::corrupt, "the delays of addresses can't be decoded"));
  }
  // Forgets the queue's pending pages and what was set by hand; its politeness remains.
  void empty_queue(HostId id, Instant now);

  // A page of the queue is to be had from now on. Its count is the caller's to keep.
  void add(HostId id, PageIdx page, OrderKey key, Instant now);
  // A page that is to be had has another key now, which key_of tells already.
  void rekey(HostId id, PageIdx page, OrderKey key, Instant now);
  // Puts the queue where its state says. To be called after its counts, times, or the state of its best page changed.
  void settle(HostId id, Instant now);

  // The best pages that may be given out now; their queues count them as leased from now on, and key_of must say so
  // before anything else is called.
  std::vector<Taken> take(size_t n, const TakeOptions& options, Instant now);
  // The politeness of a page that was given out at that time, for replay; take() does it by itself.
  void granted(HostId id, Instant now);
  // A fetch ended. `took` is how long it was, if known.
  void finished(HostId id, bool success, std::optional<Millis> took, Instant now);

  // Places queues whose timers ran out, some thousand at most; returns false if some are left.
  bool run_timers(Instant now);

  Millis window_of(const Queue& queue) const { return rules_.rule(queue.rule).options.window; }
  // When the queue may be given out by the time alone, with the delay of its address.
  Instant ready_at(const Queue& queue) const;
  size_t pending_bytes() const { return budget_.bytes(); }  // of memory

 private:
  struct Lane {
    std::vector<QueueHeap<PendingEntry>> ready;    // [level · kTemperatureSteps + step]
    std::vector<QueueHeap<PendingEntry>> dormant;  // [level]
    uint32_t active = 0;
    uint32_t n_ready = 0;  // queues in `ready`
  };

  Schedule(const ScheduleOptions& options, PolitenessRules rules, KeyOf key_of, PendingBudget::OpenFile spill_file);
  // Every change of a queue's pending pages goes through this. What could not be written stays in memory, and what
  // can't be read is remembered by the budget: nobody has to look at errors here.
  template <class Change>
  void change_pending(Queue& queue, const Change& change) {
    const size_t before = queue.pending.bytes();
    change(queue.pending);
    (void)budget_.settle(queue.pending, before);
  }
  Lane& lane(uint32_t number);
  void drop_stale_top(Queue& queue);
  void drop_left_behind(HostId id, Queue& queue, Instant now);
  void withdraw(HostId id, Queue& queue);
  void place(HostId id, Queue& queue, Instant now);
  void retire(Queue& queue, Instant now);
  Instant ready_alone_at(const Queue& queue) const;
  void put_ready(uint32_t lane, HostId id, const Queue& queue);
  void remove_ready(uint32_t lane, HostId id, const Queue& queue);  // if it is there
  void place_alone(HostId id, Queue& queue, Instant now);
  // Puts the right delegates of an address among the ready queues.
  void seat_delegates(AddressId id, Instant now);
  std::optional<HostId> best_of(Lane& lane);
  std::optional<HostId> best(const TakeOptions& options, Instant now);
  size_t choose(const std::vector<QueueHeap<PendingEntry>>& heaps, size_t first, size_t stride);

  const ScheduleOptions options_;
  const PolitenessRules rules_;
  const KeyOf key_of_;
  bool started_ = false;
  size_t filled_ = 0;
  PendingBudget budget_;  // before the queues, which give their chunks back to it
  std::vector<std::unique_ptr<Queue>> queues_;
  QueuePlaces ready_places_, timer_places_, dormant_places_;
  QueueHeap<Instant> timers_;
  Addresses addresses_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::set<uint32_t> ready_lanes_;  // that have a ready queue
  uint32_t turn_ = 0;               // the lane that is asked first, when all are
  uint64_t random_;
  uint64_t swept_ = 0;  // where drop_left_behind() looked last
  boost::unordered_flat_set<PageIdx, std::hash<PageIdx>>
      in_hand_;  // taken in this call: still queued, as far as key_of_ knows
};

}  // namespace aduana
