// The pending pages of one queue, best first: a heap of 12 bytes an entry.
//
// An entry is not looked for when its page leaves the queue by another way than the top, or gets another key: it stays
// until it comes to the top, where the owner compares it with the page and drops it (see Schedule). size() counts such
// entries too. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "aduana/order.h"

namespace aduana {

// Key and page as one number of 96 bits, so that entries of one key are in the order of their pages.
class PendingEntry {
 public:
  PendingEntry() = default;
  PendingEntry(OrderKey key, PageIdx page)
      : high_(static_cast<uint32_t>(key >> 24)),
        middle_(static_cast<uint32_t>(key << 8) | static_cast<uint32_t>(page.value >> 32)),
        low_(static_cast<uint32_t>(page.value)) {}

  OrderKey key() const { return upper() >> 8; }
  PageIdx page() const { return {uint64_t{middle_ & 0xff} << 32 | low_}; }

  bool operator<(const PendingEntry& other) const {
    return upper() != other.upper() ? upper() < other.upper() : low_ < other.low_;
  }
  bool operator==(const PendingEntry& other) const = default;

 private:
  uint64_t upper() const { return uint64_t{high_} << 32 | middle_; }

  uint32_t high_ = 0, middle_ = 0, low_ = 0;
};
static_assert(sizeof(PendingEntry) == 12);

class PendingHeap {
 public:
  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  const PendingEntry& top() const { return entries_.front(); }

  void push(const PendingEntry& entry) {
    make_room();
    entries_.push_back(entry);
    rise(entries_.size() - 1);
  }

  void pop() {
    entries_.front() = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(0);
    if (2 * entries_.size() + kSpareEntries < entries_.capacity()) entries_.shrink_to_fit();
  }

  // Without order, until heapify(): to fill it at once.
  void append(const PendingEntry& entry) {
    make_room();
    entries_.push_back(entry);
  }
  void heapify() {
    for (size_t i = entries_.size() / kWays + 1; i-- > 0;) {
      if (i < entries_.size()) sink(i);
    }
  }

  // Drops the entries that `wanted` says no to; it is asked once of each.
  template <class Wanted>
  void filter(const Wanted& wanted) {
    std::erase_if(entries_, [&](const PendingEntry& entry) { return !wanted(entry); });
    entries_.shrink_to_fit();
    heapify();
  }
  // The same of `n` entries from place `from` on: a little work at a time, where filter() would take too long.
  template <class Wanted>
  void sweep(size_t from, size_t n, const Wanted& wanted) {
    for (size_t i = from; n > 0 && i < entries_.size(); --n) {
      if (wanted(entries_[i])) {
        ++i;
      } else {
        remove(i);
      }
    }
  }
  void clear() { std::vector<PendingEntry>().swap(entries_); }

  // Best first: entries() is in order until the next change.
  void sort() { std::sort(entries_.begin(), entries_.end()); }
  // Drops all but the first n of entries().
  void keep_first(size_t n) {
    entries_.resize(n);
    entries_.shrink_to_fit();
  }

  const std::vector<PendingEntry>& entries() const { return entries_; }  // in no particular order but that of sort()
  size_t bytes() const { return entries_.capacity() * sizeof(PendingEntry); }

 private:
  static constexpr size_t kWays = 4;
  static constexpr size_t kSpareEntries = 16;  // room that is not worth giving back

  // By a quarter, not by half: memory is what a hundred million pending pages are about.
  void make_room() {
    if (entries_.size() == entries_.capacity()) entries_.reserve(entries_.size() + entries_.size() / 4 + 2);
  }

  void remove(size_t at) {
    const PendingEntry last = entries_.back();
    entries_.pop_back();
    if (at == entries_.size()) return;
    entries_[at] = last;
    rise(at);
    sink(at);
  }

  void rise(size_t at) {
    const PendingEntry entry = entries_[at];
    while (at > 0) {
      const size_t parent = (at - 1) / kWays;
      if (!(entry < entries_[parent])) break;
      entries_[at] = entries_[parent];
      at = parent;
    }
    entries_[at] = entry;
  }

  void sink(size_t at) {
    const PendingEntry entry = entries_[at];
    const size_t size = entries_.size();
    while (true) {
      const size_t first = at * kWays + 1;
      if (first >= size) break;
      size_t best = first;
      for (size_t child = first + 1; child < std::min(first + kWays, size); ++child) {
        if (entries_[child] < entries_[best]) best = child;
      }
      if (!(entries_[best] < entry)) break;
      entries_[at] = entries_[best];
      at = best;
    }
    entries_[at] = entry;
  }

  std::vector<PendingEntry> entries_;
};

}  // namespace aduana
