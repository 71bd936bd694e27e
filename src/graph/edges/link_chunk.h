// LinkChunk: as many links as the memory it is given holds, to be sorted.
//
// Links are kept as keys of 8 bytes until the first with a number of 2^32 or more comes, as keys of 16 bytes from then
// on, those that are there included. Not thread-safe.
#pragma once

#include <cstring>
#include <span>
#include <utility>

#include "base/zeroed_array.h"
#include "graph/edges/link_key.h"
#include "graph/edges/radix_sort.h"

namespace aduana {

class LinkChunk {
 public:
  using Memory = ZeroedArray<char>;  // its pages take no room before they are used, and are aligned for any key

  explicit LinkChunk(size_t bytes = 0) : memory_(bytes) {}

  size_t size() const { return size_; }
  void clear() {
    size_ = 0;
    wide_ = false;
  }

  // The links that are still taken, after a change to wide keys that may be needed for them.
  size_t room(bool wide) const {
    const size_t capacity = memory_.size() / (wide_ || wide ? sizeof(WideKey) : sizeof(NarrowKey));
    return capacity > size_ ? capacity - size_ : 0;
  }

  // There is room for them. Not `wide`: all numbers are below 2^32.
  void add(std::span<const NodeLink> links, bool wide) {
    if (wide && !wide_) widen();
    if (wide_) {
      append<WideKey>(links);
    } else {
      append<NarrowKey>(links);
    }
  }

  // Sorts with the help of `scratch`, which has the same size, and calls take(std::span<Key> sorted, Memory& holding
  // them, Memory& free); doubles are still there. Returns what it returns.
  template <class Take>
  auto sort(Memory& scratch, Take take) {
    return wide_ ? sort_as<WideKey>(scratch, take) : sort_as<NarrowKey>(scratch, take);
  }

 private:
  template <class Key>
  static Key* keys_in(Memory& memory) {
    return reinterpret_cast<Key*>(memory.begin());
  }

  template <class Key>
  void append(std::span<const NodeLink> links) {
    Key* out = keys_in<Key>(memory_) + size_;
    for (const NodeLink& link : links) *out++ = key_of<Key>(link);
    size_ += links.size();
  }

  // From the last to the first, since each needs twice the room.
  void widen() {
    for (size_t i = size_; i-- > 0;) {
      NarrowKey narrow;
      std::memcpy(&narrow, memory_.begin() + i * sizeof narrow, sizeof narrow);
      const WideKey wide = key_of<WideKey>(link_of(narrow));
      std::memcpy(memory_.begin() + i * sizeof wide, &wide, sizeof wide);
    }
    wide_ = true;
  }

  template <class Key, class Take>
  auto sort_as(Memory& scratch, Take& take) {
    const std::span<Key> sorted = radix_sort(std::span(keys_in<Key>(memory_), size_),  //
                                             std::span(keys_in<Key>(scratch), size_));
    const bool moved = sorted.data() == keys_in<Key>(scratch);
    return take(sorted, moved ? scratch : memory_, moved ? memory_ : scratch);
  }

  Memory memory_;
  size_t size_ = 0;
  bool wide_ = false;
};

}  // namespace aduana
