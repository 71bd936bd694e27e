// radix_sort: sorts unsigned numbers of any width, least significant digit first, by the bits in which they differ.
//
// Links of n pages differ in about 2 log2(n) bits of their keys, so that there are two passes for each eleven bits of
// page numbers and none for the rest. Numbers that are sorted already cost one look at each. Stable or not makes no
// difference to numbers. Besides `scratch` it needs 16 KiB of stack, 2 KiB for less than 65536 numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace aduana {
namespace radix_sort_detail {

template <int kBits, class Key>
void scatter(std::span<const Key> from, Key* to, int shift) {
  constexpr size_t kMask = (size_t{1} << kBits) - 1;
  std::array<size_t, kMask + 1> at{};
  for (const Key key : from) ++at[static_cast<size_t>(key >> shift) & kMask];
  size_t sum = 0;
  for (size_t& start : at) {
    const size_t n = start;
    start = sum;
    sum += n;
  }
  for (const Key key : from) to[at[static_cast<size_t>(key >> shift) & kMask]++] = key;
}

template <int kBits, class Key>
std::span<Key> sort_by_digits(std::span<Key> keys, std::span<Key> scratch, Key differing) {
  constexpr int kWidth = sizeof(Key) * 8;
  for (int shift = 0; shift < kWidth && differing >> shift != 0; shift += kBits) {
    while ((differing >> shift & 1) == 0) ++shift;
    scatter<kBits, Key>(keys, scratch.data(), shift);
    std::swap(keys, scratch);
  }
  return keys;
}

}  // namespace radix_sort_detail

// The sorted numbers are where the result says: in `keys` or in `scratch`, which has the same size.
template <class Key>
std::span<Key> radix_sort(std::span<Key> keys, std::span<Key> scratch) {
  constexpr size_t kFew = 1 << 16;  // for these, clearing and summing up large tables would take longer than sorting
  if (std::is_sorted(keys.begin(), keys.end())) return keys;
  Key differing = 0;
  for (const Key key : keys) differing |= key ^ keys.front();
  return keys.size() < kFew ? radix_sort_detail::sort_by_digits<8>(keys, scratch, differing)
                            : radix_sort_detail::sort_by_digits<11>(keys, scratch, differing);
}

}  // namespace aduana
