// The newest entries of the URL index, in memory. When full it is sealed, sorted and written as a run.
//
// A page gets its entry when it is born, so the entries are the keys of one range of pages, in order: the index of a
// page is its place here. Beside them a hash table of places, open addressing, at most half full, each with 12 bits of
// the key, so that looking for a key that is not here seldom touches a key. Not thread-safe; a sealed one is not
// changed any more and may be read by all.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "base/ids.h"
#include "base/zeroed_array.h"
#include "url/keys.h"

namespace aduana {

struct IndexEntry {
  PageKey key;
  PageIdx idx;
};

class Memtable {
 public:
  static constexpr size_t kMaxCapacity = (1 << 20) - 1;

  // `first` is the page of the first entry.
  Memtable(size_t capacity, PageIdx first)
      : first_(first),
        capacity_(std::clamp<size_t>(capacity, 1, kMaxCapacity)),
        mask_(std::bit_ceil(capacity_ * 2) - 1),
        keys_(capacity_),
        slots_(mask_ + 1) {}

  bool full() const { return count_ == capacity_; }
  size_t size() const { return count_; }
  PageIdx first() const { return first_; }

  void prefetch(const PageKey& key) const { __builtin_prefetch(&slots_[key.lo & mask_]); }

  PageIdx find(const PageKey& key) const {
    const uint32_t tag = tag_of(key);
    for (size_t at = key.lo & mask_; slots_[at]; at = (at + 1) & mask_) {
      if ((slots_[at] & kTagMask) != tag) continue;
      const size_t place = (slots_[at] & ~kTagMask) - 1;
      if (keys_[place] == key) return PageIdx{first_.value + place};
    }
    return kNoPage;
  }

  // Enters the next page; `key` must not be here, and it must not be full.
  void insert(const PageKey& key) {
    size_t at = key.lo & mask_;
    while (slots_[at]) at = (at + 1) & mask_;
    keys_[count_++] = key;
    slots_[at] = tag_of(key) | static_cast<uint32_t>(count_);
  }

  std::vector<IndexEntry> sorted() const {
    std::vector<IndexEntry> entries(count_);
    for (size_t i = 0; i < count_; ++i) entries[i] = {keys_[i], PageIdx{first_.value + i}};
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    return entries;
  }

 private:
  static constexpr uint32_t kTagMask = 0xfffu << 20;

  static uint32_t tag_of(const PageKey& key) { return static_cast<uint32_t>(key.lo >> 32) & kTagMask; }

  PageIdx first_;
  size_t capacity_;
  size_t mask_;
  size_t count_ = 0;
  ZeroedArray<PageKey> keys_;
  ZeroedArray<uint32_t> slots_;  // 12 bits of key, 20 bits of place + 1; 0 is empty
};

}  // namespace aduana
