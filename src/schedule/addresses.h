// Politeness by IP address: queues that are on one address share its limits, in addition to their own.
//
// Of the queues of an address that may be given out by their own limits, only the best of each crawl stands among the
// ready ones of the schedule: the delegate. The others wait behind it in a heap of the address. So an address with
// a million hosts costs a request no more than one with a single host, and when the address is at its limit there is
// one queue to be taken out of the way, not a million.
//
// This class keeps the addresses and says who is the delegate; the schedule puts it among the ready. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "aduana/politeness.h"
#include "aduana/time.h"
#include "base/bytes.h"
#include "base/ids.h"
#include "schedule/pending_heap.h"
#include "schedule/queue_heap.h"

namespace aduana {

using AddressId = uint32_t;
inline constexpr AddressId kNoAddress = ~0u;

// How good a queue is among those of its address: the step of its temperature, then its best page.
struct QueueRank {
  int step = 0;
  PendingEntry best;

  bool operator<(const QueueRank& other) const { return step != other.step ? step < other.step : best < other.best; }
};

class Addresses {
 public:
  explicit Addresses(const AddressLimits& limits) : limits_(limits) {}

  // The number of an address, given by a hash of its text.
  AddressId number_of(uint64_t hash);

  // Requests to the address begin and end.
  void add_in_flight(AddressId id, int64_t change) { addresses_[id].in_flight += change; }
  void requested(AddressId id, Instant now) {
    addresses_[id].next_time = std::max(addresses_[id].next_time, now + limits_.min_delay);
  }
  Instant next_time(AddressId id) const { return addresses_[id].next_time; }
  bool is_open(AddressId id, Instant now) const;

  // A queue of the address may be given out by its own limits; or not any more.
  void enter(AddressId id, uint32_t lane, HostId queue, const QueueRank& rank);
  void leave(AddressId id, uint32_t lane, HostId queue);

  // Crawls that have, or had, a queue waiting here.
  struct Seat {
    uint32_t lane = 0;
    QueueHeap<QueueRank> waiting;
    std::optional<HostId> delegate;  // as the schedule has it
  };
  std::vector<Seat>& seats(AddressId id) { return addresses_[id].seats; }
  // Who should be the delegate of the seat now. A timer is set when that changes with time.
  std::optional<HostId> choose(AddressId id, const Seat& seat, Instant now);

  // The addresses whose delay goes on after `now`, as bytes, and back; false if they are not that.
  void save(std::string& out, Instant now) const;
  bool load(ByteReader& in);

  // When a delegate may become possible that is not now.
  std::optional<Instant> next_timer() const;
  AddressId take_first_timer();

 private:
  struct Address {
    int64_t in_flight = 0;
    Instant next_time{};
    std::vector<Seat> seats;
  };
  Seat& seat(AddressId id, uint32_t lane);

  const AddressLimits limits_;
  std::unordered_map<uint64_t, AddressId> numbers_;
  std::vector<Address> addresses_;
  QueuePlaces places_;
  std::set<std::pair<Instant, AddressId>> timers_;
};

}  // namespace aduana
