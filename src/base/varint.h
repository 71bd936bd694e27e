// Variable-length integers over the full 64-bit range: seven bits a byte, least significant first, the high bit set on
// all but the last. One to ten bytes. (The original's broke at 2^31.) Signed values go through zig-zag.
#pragma once

#include <cstdint>
#include <string>

namespace aduana {

inline constexpr int kMaxVarintBytes = 10;

// Writes v at out, which has room for kMaxVarintBytes; returns one past the last byte.
inline char* write_varint(char* out, uint64_t v) {
  while (v >= 0x80) {
    *out++ = static_cast<char>(v | 0x80);
    v >>= 7;
  }
  *out++ = static_cast<char>(v);
  return out;
}

// Reads into *v and returns one past the last byte; nullptr when the bytes end early or the number is over 64 bits.
inline const char* read_varint(const char* in, const char* end, uint64_t* v) {
  if (in < end && !(*in & 0x80)) {
    *v = static_cast<uint8_t>(*in);
    return in + 1;
  }
  uint64_t value = 0;
  for (int shift = 0; in < end && shift < 64; shift += 7) {
    const auto byte = static_cast<uint8_t>(*in++);
    if (shift == 63 && byte > 1) return nullptr;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      *v = value;
      return in;
    }
  }
  return nullptr;
}

inline void append_varint(std::string& out, uint64_t v) {
  char buffer[kMaxVarintBytes];
  out.append(buffer, static_cast<size_t>(write_varint(buffer, v) - buffer));
}

inline int varint_size(uint64_t v) {
  int n = 1;
  while (v >>= 7) ++n;
  return n;
}

inline uint64_t zigzag_encode(int64_t v) { return (static_cast<uint64_t>(v) << 1) ^ static_cast<uint64_t>(v >> 63); }
inline int64_t zigzag_decode(uint64_t v) { return static_cast<int64_t>(v >> 1) ^ -static_cast<int64_t>(v & 1); }

inline void append_zigzag(std::string& out, int64_t v) { append_varint(out, zigzag_encode(v)); }

}  // namespace aduana
