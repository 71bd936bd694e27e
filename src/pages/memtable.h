// The newest entries of the URL index, in memory: open addressing, at most half full. When full it is sealed, sorted
// and written as a run. Its entries are the pages of one range of indices, since a page gets its entry when it is born.
// Not thread-safe; a sealed one is not changed any more and may be read by all.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "base/zeroed_array.h"
#include "pages/ids.h"
#include "url/keys.h"

namespace aduana {

struct IndexEntry {
  PageKey key;
  PageIdx idx;
};

class Memtable {
 public:
  explicit Memtable(size_t capacity)
      : capacity_(capacity), mask_(std::bit_ceil(std::max<size_t>(capacity, 8) * 2) - 1), slots_(mask_ + 1) {}

  bool full() const { return count_ >= capacity_; }
  size_t size() const { return count_; }

  void prefetch(const PageKey& key) const { __builtin_prefetch(&slots_[key.lo & mask_]); }

  PageIdx find(const PageKey& key) const {
    for (size_t at = key.lo & mask_; slots_[at].idx_plus_1; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return PageIdx{slots_[at].idx_plus_1 - 1};
    }
    return kNoPage;
  }

  // `key` must not be here.
  void insert(const PageKey& key, PageIdx idx) {
    size_t at = key.lo & mask_;
    while (slots_[at].idx_plus_1) at = (at + 1) & mask_;
    slots_[at] = {key, idx.value + 1};
    ++count_;
  }

  std::vector<IndexEntry> sorted() const {
    std::vector<IndexEntry> entries;
    entries.reserve(count_);
    for (const Slot& slot : slots_) {
      if (slot.idx_plus_1) entries.push_back({slot.key, PageIdx{slot.idx_plus_1 - 1}});
    }
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    return entries;
  }

 private:
  struct Slot {
    PageKey key;
    uint64_t idx_plus_1;
  };
  size_t capacity_;
  size_t mask_;
  size_t count_ = 0;
  ZeroedArray<Slot> slots_;
};

}  // namespace aduana
