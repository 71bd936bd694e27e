// The head of a row: the numbers that tell its form, as one symbol. A row has about five numbers, so that taking three
// of them at once saves a good part of the time; and these three depend on each other.
//
// Symbols: like no other row, with so many links (perhaps none); like another one, with so many runs and so many other
// links. How many links it is told to a power of two, or finer; the rest of it are bits that go with the symbol. The
// largest of each kind means "or more": how many more is told behind the head.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "graph/codec/token.h"

namespace aduana {

struct RowHead {
  static constexpr unsigned kBacks = 3, kRuns = 5;  // of a row like another
  // The least of each class of numbers of links; a class ends before the next one.
  static constexpr unsigned kAlone[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32};
  static constexpr unsigned kRests[] = {0, 1, 2, 3, 4, 6, 8, 16};
  static constexpr unsigned kAlones = std::size(kAlone), kRestClasses = std::size(kRests);

  uint64_t back = 0;  // 0: it is like no other
  uint64_t runs = 0;
  uint64_t rest = 0;

  // The bits that go with the symbol are `rest` less that of the symbol.
  constexpr unsigned symbol() const {
    if (!back) return class_of(kAlone, rest);
    const uint64_t b = std::min<uint64_t>(back, kBacks) - 1, r = std::min<uint64_t>(runs, kRuns - 1);
    return static_cast<unsigned>(kAlones + (b * kRuns + r) * kRestClasses + class_of(kRests, rest));
  }
  // The least that it stands for.
  static constexpr RowHead of(unsigned symbol) {
    if (symbol < kAlones) return {0, 0, kAlone[symbol]};
    symbol = std::min(symbol - kAlones, kBacks * kRuns * kRestClasses - 1);
    return {1 + symbol / (kRuns * kRestClasses), symbol / kRestClasses % kRuns, kRests[symbol % kRestClasses]};
  }
  static constexpr int extra_bits(unsigned symbol) {
    return symbol < kAlones ? bits_of(kAlone, symbol) : bits_of(kRests, (symbol - kAlones) % kRestClasses);
  }
  constexpr bool more_back() const { return back >= kBacks; }
  constexpr bool more_runs() const { return runs >= kRuns - 1; }
  constexpr bool more_rest() const { return rest >= (back ? kRests[kRestClasses - 1] : kAlone[kAlones - 1]); }

 private:
  static constexpr unsigned class_of(std::span<const unsigned> classes, uint64_t n) {
    const auto above = std::upper_bound(classes.begin(), classes.end(), n);
    return static_cast<unsigned>(above - classes.begin()) - 1;
  }
  static constexpr int bits_of(std::span<const unsigned> classes, unsigned i) {
    return i + 1 < classes.size() ? std::bit_width(classes[i + 1] - classes[i]) - 1 : 0;
  }
};
inline constexpr unsigned kHeadSymbols = RowHead::kAlones + RowHead::kBacks * RowHead::kRuns * RowHead::kRestClasses;

// What the head of the next row depends on; kHeadAtStart for the first of a group.
inline constexpr unsigned kHeadAtStart = 0;
inline constexpr unsigned kHeadKinds = 6;
constexpr unsigned kind_of_head(unsigned symbol) {
  const RowHead head = RowHead::of(symbol);
  if (head.back) return head.rest ? 5 : 4;
  return head.rest == 0 ? 1 : head.rest < 4 ? 2 : 3;
}

// What the first link that is not copied depends on: how many there are, to a power of two.
inline constexpr unsigned kFirstKinds = 10;
constexpr unsigned first_kind(uint64_t rest, bool like) {
  return 2 * std::min(static_cast<unsigned>(std::bit_width(rest | 1)) - 1, 4u) + like;
}

// A head as it stands in the decode tables: 6 bits of the rest, to which those that go with the symbol can be added;
// 3 each of the runs and of how many rows back; whether more is told; 4 of the context of the first link.
struct PackedHead {
  uint32_t bits;

  static constexpr PackedHead of(unsigned symbol) {
    const RowHead h = RowHead::of(symbol);
    const bool more = h.more_back() || h.more_runs() || h.more_rest();
    return {
        static_cast<uint32_t>(h.rest | h.runs << 6 | h.back << 9 | more << 12 | first_kind(h.rest, h.back != 0) << 13)};
  }
  constexpr RowHead head() const { return {bits >> 9 & 7, bits >> 6 & 7, bits & 63}; }
  constexpr bool more() const { return bits >> 12 & 1; }
  constexpr unsigned first() const { return bits >> 13; }
};

}  // namespace aduana
