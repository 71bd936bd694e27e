#include "schedule/addresses.h"

#include <algorithm>

namespace aduana {

AddressId Addresses::number_of(uint64_t hash) {
  const auto [found, is_new] = numbers_.try_emplace(hash, static_cast<AddressId>(addresses_.size()));
  if (is_new) addresses_.emplace_back();
  return found->second;
}

bool Addresses::is_open(AddressId id, Instant now) const {
  const Address& address = addresses_[id];
  return address.next_time <= now && (limits_.max_in_flight == 0 || address.in_flight < limits_.max_in_flight);
}

Addresses::Seat& Addresses::seat(AddressId id, uint32_t lane) {
  auto& seats = addresses_[id].seats;
  const auto found = std::find_if(seats.begin(), seats.end(), [&](const Seat& seat) { return seat.lane == lane; });
  if (found != seats.end()) return *found;
  return seats.emplace_back(Seat{lane, QueueHeap<QueueRank>(places_), std::nullopt});
}

void Addresses::enter(AddressId id, uint32_t lane, HostId queue, const QueueRank& rank) {
  seat(id, lane).waiting.put(queue, rank);
}

void Addresses::leave(AddressId id, uint32_t lane, HostId queue) { seat(id, lane).waiting.remove(queue); }

std::optional<HostId> Addresses::choose(AddressId id, const Seat& seat, Instant now) {
  if (seat.waiting.empty()) return std::nullopt;
  if (is_open(id, now)) return seat.waiting.top();
  if (const Instant then = addresses_[id].next_time; then > now) timers_.emplace(then, id);
  return std::nullopt;
}

AddressId Addresses::take_first_timer() {
  const AddressId id = timers_.begin()->second;
  timers_.erase(timers_.begin());
  return id;
}

std::optional<Instant> Addresses::next_timer() const {
  return timers_.empty() ? std::nullopt : std::optional(timers_.begin()->first);
}

void Addresses::save(std::string& out, Instant now) const {
  std::vector<std::pair<uint64_t, Instant>> delayed;
  for (const auto& [hash, id] : numbers_) {
    if (addresses_[id].next_time > now) delayed.emplace_back(hash, addresses_[id].next_time);
  }
  std::sort(delayed.begin(), delayed.end());
  append_varint(out, delayed.size());
  for (const auto& [hash, time] : delayed) {
    append_be<uint64_t>(out, hash);
    append_zigzag(out, time.time_since_epoch().count());
  }
}

bool Addresses::load(ByteReader& in) {
  for (uint64_t left = in.varint(); left > 0 && in.ok(); --left) {
    const AddressId id = number_of(in.be<uint64_t>());
    addresses_[id].next_time = std::max(addresses_[id].next_time, Instant{Millis{in.zigzag()}});
  }
  return in.ok();
}

}  // namespace aduana
