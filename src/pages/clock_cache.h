// The cache in front of the URL index: key → page index, for the links that everybody links to.
//
// A bucket is two cache lines of four entries; a key looks first in the line that is its own, then in the other. In a
// full bucket an entry that was not hit lately makes way. An entry is 128 bits: all 64 low bits of the key, 23 of the
// high ones, 40 of the index plus one, and whether it was hit since the hand passed. The 87 bits of key kept here make
// a wrong answer as unlikely as for the key itself (below 1e-8 at a thousand million URLs).
//
// It begins small and grows with what it holds by linear hashing: whenever the buckets are 35 % full, the next one in
// turn is split in two and the new half put behind the last. (Those that are not split yet in this round hold up to
// twice as much as the others: that is why 35.) So growing is a little work at every insert, memory is touched in
// order and only when it is needed, and nothing ever waits for the whole to be moved. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/ids.h"
#include "base/zeroed_array.h"
#include "url/keys.h"

namespace aduana {

class ClockCache {
 public:
  explicit ClockCache(size_t bytes) : buckets_(std::max<size_t>(bytes / sizeof(Bucket), 1)) {}

  // Says that the key will be looked for, or inserted, so that its memory is on its way.
  void prefetch(const PageKey& key) const {
    __builtin_prefetch(&buckets_[bucket_of(key.lo)].entries[own_line(key.lo)]);
  }

  // kNoPage when it is not here.
  PageIdx find(const PageKey& key) {
    Bucket& bucket = buckets_[bucket_of(key.lo)];
    const uint64_t tag = tag_of(key);
    const size_t own = own_line(key.lo);
    for (size_t i = 0; i < kEntries; ++i) {
      Entry& entry = bucket.entries[i ^ own];
      if (entry.low == key.lo && (entry.rest & kTagMask) == tag && (entry.rest & kIdxMask)) {
        if (!(entry.rest & kHit)) entry.rest |= kHit;
        return PageIdx{(entry.rest & kIdxMask) - 1};
      }
    }
    return kNoPage;
  }

  // A key that is here already gets a second entry, which does no harm.
  void insert(const PageKey& key, PageIdx idx) {
    const Entry entry{key.lo, tag_of(key) | (idx.value + 1)};
    Bucket& bucket = buckets_[bucket_of(key.lo)];
    if (!put(bucket, entry)) replace(bucket, entry);
    if (held_ * 100 > count_ * kEntries * kFillPercent && count_ < buckets_.size()) split_next();
  }

 private:
  static constexpr size_t kLine = 4;
  static constexpr size_t kEntries = 8;
  static constexpr size_t kFillPercent = 35;
  static constexpr uint64_t kIdxMask = (1ull << 40) - 1;
  static constexpr uint64_t kHit = 1ull << 40;
  static constexpr uint64_t kTagMask = ~((1ull << 41) - 1);

  struct Entry {
    uint64_t low;
    uint64_t rest;  // 23 bits of tag, hit, 40 bits of index + 1
  };
  struct alignas(128) Bucket {
    Entry entries[kEntries];
  };

  // All that chooses the place is in the entry, so that a bucket can be split.
  static uint64_t hash_of(uint64_t low) { return low >> 7; }
  static size_t own_line(uint64_t low) { return low & kLine; }
  static uint64_t tag_of(const PageKey& key) { return key.hi << 41; }

  // Of the `round_` buckets that this round began with, the first count_ - round_ are split already.
  size_t bucket_of(uint64_t low) const {
    const size_t number = hash_of(low) & (2 * round_ - 1);
    return number < count_ ? number : number - round_;
  }

  bool put(Bucket& bucket, const Entry& entry) {
    const size_t own = own_line(entry.low);
    for (size_t i = 0; i < kEntries; ++i) {
      Entry& other = bucket.entries[i ^ own];
      if (other.rest & kIdxMask) continue;
      other = entry;
      ++held_;
      return true;
    }
    return false;
  }

  static void replace(Bucket& bucket, const Entry& entry) {
    const size_t start = entry.low % kEntries;
    Entry* victim = &bucket.entries[start];
    for (size_t i = 0; i < kEntries; ++i) {
      Entry& other = bucket.entries[(start + i) % kEntries];
      if (!(other.rest & kHit)) {
        victim = &other;
        break;
      }
      other.rest &= ~kHit;
    }
    *victim = entry;
  }

  void split_next() {
    Bucket& from = buckets_[count_ - round_];
    Bucket& to = buckets_[count_];
    const Bucket all = from;
    from = {};
    for (const Entry& entry : all.entries) {
      if (!(entry.rest & kIdxMask)) continue;
      --held_;
      put(hash_of(entry.low) & round_ ? to : from, entry);
    }
    if (++count_ == 2 * round_) round_ = count_;
  }

  ZeroedArray<Bucket> buckets_;  // the first count_ are in use
  size_t count_ = 1;
  size_t round_ = 1;
  size_t held_ = 0;
};

}  // namespace aduana
