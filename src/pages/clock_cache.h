// The cache in front of the URL index: key → page index, for the links that everybody links to.
//
// Sets of four entries in one cache line; an entry that finds its set full goes to the set beside it, if there is room,
// and else takes the place of one that was not hit lately. An entry is 128 bits: all 64 low bits of the key, 23 of the
// high ones, 40 of the index plus one, and whether it was hit since the hand passed. The 87 bits of key kept here make
// a wrong answer as unlikely as for the key itself (below 1e-8 at a thousand million URLs). It begins small and grows
// with what it holds, one of its 64 parts at a time, so that neither opening a store nor any one insert has to touch
// all of its memory. Not thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/zeroed_array.h"
#include "pages/ids.h"
#include "url/keys.h"

namespace aduana {

class ClockCache {
 public:
  explicit ClockCache(size_t bytes) : most_sets_(std::bit_floor(std::max<size_t>(bytes / kParts / sizeof(Set), 1))) {
    for (Part& part : parts_) part.sets = ZeroedArray<Set>(std::min(kFirstSets, most_sets_));
  }

  void prefetch(const PageKey& key) const {
    const uint64_t hash = hash_of(key.lo);
    const Part& part = parts_[part_of(hash)];
    const Set* set = &part.sets[hash & (part.sets.size() - 1)];
    __builtin_prefetch(set);
    __builtin_prefetch(part.beside(set));
  }

  // kNoPage when it is not here.
  PageIdx find(const PageKey& key) {
    const uint64_t hash = hash_of(key.lo);
    Part& part = parts_[part_of(hash)];
    const uint64_t tag = tag_of(key);
    Set* const home = &part.sets[hash & (part.sets.size() - 1)];
    for (Set* set : {home, part.beside(home)}) {
      for (Entry& entry : set->entries) {
        if (entry.low == key.lo && (entry.rest & kTagMask) == tag && (entry.rest & kIdxMask)) {
          if (!(entry.rest & kHit)) entry.rest |= kHit;
          return PageIdx{(entry.rest & kIdxMask) - 1};
        }
      }
    }
    return kNoPage;
  }

  // A key that is here already gets a second entry, which does no harm.
  void insert(const PageKey& key, PageIdx idx) {
    const uint64_t hash = hash_of(key.lo);
    const size_t number = part_of(hash);
    Part& part = parts_[number];
    part.insert(hash, {key.lo, tag_of(key) | (idx.value + 1)});
    // Grown before sets overflow. The parts fill up alike; different limits keep them from growing in the same moment.
    const size_t limit = part.sets.size() * 3 / 2 + part.sets.size() * number / kParts;
    if (part.entries > limit && part.sets.size() < most_sets_) part.grow(std::min(part.sets.size() * 4, most_sets_));
  }

 private:
  static constexpr size_t kParts = 64;
  static constexpr size_t kFirstSets = 256;
  static constexpr uint64_t kIdxMask = (1ull << 40) - 1;
  static constexpr uint64_t kHit = 1ull << 40;
  static constexpr uint64_t kTagMask = ~((1ull << 41) - 1);

  struct Entry {
    uint64_t low;
    uint64_t rest;  // 23 bits of tag, hit, 40 bits of index + 1
  };
  struct alignas(64) Set {
    Entry entries[4];
  };
  struct Part {
    ZeroedArray<Set> sets;
    size_t entries = 0;

    Set* beside(const Set* set) const {
      const auto number = static_cast<size_t>(set - sets.begin()) ^ 1;
      return const_cast<Set*>(&sets[number < sets.size() ? number : 0]);
    }

    void insert(uint64_t hash, const Entry& entry) {
      Set* const home = &sets[hash & (sets.size() - 1)];
      for (Set* set : {home, beside(home)}) {
        for (Entry& other : set->entries) {
          if (other.rest & kIdxMask) continue;
          other = entry;
          ++entries;
          return;
        }
      }
      const size_t start = entry.low & 3;
      Entry* victim = &home->entries[start];
      for (size_t i = 0; i < 4; ++i) {
        Entry& other = home->entries[(start + i) & 3];
        if (!(other.rest & kHit)) {
          victim = &other;
          break;
        }
        other.rest &= ~kHit;
      }
      *victim = entry;
    }

    void grow(size_t size) {
      const ZeroedArray<Set> old = std::move(sets);
      sets = ZeroedArray<Set>(size);
      entries = 0;
      for (const Set& set : old) {
        for (const Entry& entry : set.entries) {
          if (entry.rest & kIdxMask) insert(hash_of(entry.low), entry);
        }
      }
    }
  };

  // All that chooses the place is in the entry, so that a part can grow.
  static uint64_t hash_of(uint64_t low) { return low >> 7; }
  static size_t part_of(uint64_t hash) { return hash >> (64 - 7 - 6); }
  static uint64_t tag_of(const PageKey& key) { return key.hi << 41; }

  size_t most_sets_;
  std::array<Part, kParts> parts_;
};

}  // namespace aduana
