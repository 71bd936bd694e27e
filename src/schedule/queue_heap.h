// A heap of queues, each with a key, the smallest on top, in which the key of any queue can be changed.
//
// Where a queue stands is kept in a table by its number, so that finding it costs nothing. Several heaps may share one
// table; a queue is in at most one of them, and its owner knows in which. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace aduana {

// The place of each queue in the one heap that holds it.
class QueuePlaces {
 public:
  static constexpr uint32_t kNowhere = ~0u;

  uint32_t of(HostId queue) const { return queue.value < places_.size() ? places_[queue.value] : kNowhere; }
  void set(HostId queue, uint32_t place) {
    if (queue.value >= places_.size()) places_.resize(std::max<size_t>(queue.value + 1, places_.size() * 2), kNowhere);
    places_[queue.value] = place;
  }

 private:
  std::vector<uint32_t> places_;
};

template <class Key>
class QueueHeap {
 public:
  explicit QueueHeap(QueuePlaces& places) : places_(&places) {}

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  HostId top() const { return entries_.front().queue; }
  const Key& top_key() const { return entries_.front().key; }

  // Enters the queue, or changes its key; true if it was not here.
  bool put(HostId queue, const Key& key) {
    const Entry entry{key, queue};
    const uint32_t at = places_->of(queue);
    if (at == QueuePlaces::kNowhere) {
      entries_.push_back(entry);
      settle(rise(static_cast<uint32_t>(entries_.size() - 1), entry), entry);
      return true;
    }
    const uint32_t up = rise(at, entry);
    settle(up == at ? sink(at, entry) : up, entry);
    return false;
  }

  // False if it is not here.
  bool remove(HostId queue) {
    const uint32_t at = places_->of(queue);
    if (at >= entries_.size() || entries_[at].queue != queue) return false;
    places_->set(queue, QueuePlaces::kNowhere);
    const Entry last = entries_.back();
    entries_.pop_back();
    if (at < entries_.size()) {
      const uint32_t up = rise(at, last);
      settle(up == at ? sink(at, last) : up, last);
    }
    return true;
  }

 private:
  static constexpr uint32_t kWays = 4;

  struct Entry {
    Key key;
    HostId queue;
    bool operator<(const Entry& other) const { return key < other.key || (!(other.key < key) && queue < other.queue); }
  };

  void settle(uint32_t at, const Entry& entry) {
    entries_[at] = entry;
    places_->set(entry.queue, at);
  }

  // Both move others out of the way and return the place that is left for the entry.
  uint32_t rise(uint32_t at, const Entry& entry) {
    while (at > 0) {
      const uint32_t parent = (at - 1) / kWays;
      if (!(entry < entries_[parent])) break;
      settle(at, entries_[parent]);
      at = parent;
    }
    return at;
  }

  uint32_t sink(uint32_t at, const Entry& entry) {
    const auto size = static_cast<uint32_t>(entries_.size());
    while (true) {
      const uint32_t first = at * kWays + 1;
      if (first >= size) break;
      uint32_t best = first;
      for (uint32_t child = first + 1; child < std::min(first + kWays, size); ++child) {
        if (entries_[child] < entries_[best]) best = child;
      }
      if (!(entries_[best] < entry)) break;
      settle(at, entries_[best]);
      at = best;
    }
    return at;
  }

  std::vector<Entry> entries_;
  QueuePlaces* places_;
};

}  // namespace aduana
