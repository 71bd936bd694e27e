// How a number becomes a symbol of a small alphabet and some bits that are written as they are: numbers below 16 are
// symbols of their own; of larger ones the symbol tells the highest bit and the one below it.
#pragma once

#include <bit>
#include <cstdint>

namespace aduana {

inline constexpr unsigned kDirectTokens = 16;
inline constexpr int kTokenValueBits = 48;  // of the largest number
inline constexpr unsigned kTokens = kDirectTokens + 2 * (kTokenValueBits - 4);

struct Token {
  unsigned symbol;
  int extra_bits;
  uint64_t extra;
};

inline Token token_of(uint64_t v) {
  if (v < kDirectTokens) return {static_cast<unsigned>(v), 0, 0};
  const int top = std::bit_width(v) - 1;
  const auto second = static_cast<unsigned>(v >> (top - 1)) & 1;
  const int extra = top - 1;
  return {kDirectTokens + 2 * static_cast<unsigned>(top - 4) + second, extra, v & ((uint64_t{1} << extra) - 1)};
}

// Of a symbol that is not direct.
inline int extra_bits_of(unsigned symbol) { return static_cast<int>((symbol - kDirectTokens) / 2) + 3; }
inline uint64_t value_of(unsigned symbol, uint64_t extra) {
  return (uint64_t{2 | (symbol & 1)} << extra_bits_of(symbol)) | extra;
}

}  // namespace aduana
