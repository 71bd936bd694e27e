// Bits one after the other: bit k of a stream is bit k mod 8, counted from the least significant, of byte k / 8.
//
// A reader loads eight bytes at a time without looking where the stream ends, so kBitPadding bytes that may be read
// must follow it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace aduana {

inline constexpr size_t kBitPadding = 8;
inline constexpr int kMostBitsAtOnce = 57;

inline uint64_t low_bits(uint64_t v, int n) { return v & ((uint64_t{1} << n) - 1); }
// The masks of low_bits(), for where a load is quicker than the steps to make one.
inline constexpr auto kLowBits = [] {
  std::array<uint64_t, 64> masks{};
  for (size_t n = 0; n < masks.size(); ++n) masks[n] = (uint64_t{1} << n) - 1;
  return masks;
}();

// Eight bytes, the least significant first, whatever the machine.
inline uint64_t load_le64(const char* in) {
  uint64_t v;
  std::memcpy(&v, in, sizeof v);
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap64(v);
  return v;
}

inline void append_le64(std::string& out, uint64_t v) {
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap64(v);
  out.append(reinterpret_cast<const char*>(&v), sizeof v);
}

// At least kMostBitsAtOnce bits from bit `at` on; what is above them is of no meaning.
inline uint64_t peek_bits(const char* stream, uint64_t at) { return load_le64(stream + (at >> 3)) >> (at & 7); }

class BitWriter {
 public:
  // The low `n` bits of v, at most kMostBitsAtOnce; the others must be zero.
  void put(uint64_t v, int n) {
    waiting_ |= v << n_waiting_;
    n_waiting_ += n;
    for (; n_waiting_ >= 8; n_waiting_ -= 8, waiting_ >>= 8) bytes_.push_back(static_cast<char>(waiting_));
  }

  // Of another writer.
  void append(const BitWriter& other) {
    for (const char byte : other.bytes_) put(static_cast<uint8_t>(byte), 8);
    put(other.waiting_, other.n_waiting_);
  }

  uint64_t bits() const { return 8 * bytes_.size() + static_cast<uint64_t>(n_waiting_); }
  // All bytes that are full; they are the caller's now, and bits() counts from the first that is not.
  std::string take_full_bytes() { return std::exchange(bytes_, {}); }
  // Fills the last byte up with zeros.
  void pad() {
    if (n_waiting_) put(0, 8 - n_waiting_);
  }
  void clear() {
    bytes_.clear();
    waiting_ = 0;
    n_waiting_ = 0;
  }

 private:
  std::string bytes_;
  uint64_t waiting_ = 0;  // less than a byte between calls
  int n_waiting_ = 0;
};

}  // namespace aduana
