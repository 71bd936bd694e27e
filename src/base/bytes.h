// Reading and writing the integers of our formats. On disk everything is big-endian, whatever the machine.
//
// ByteReader walks over bytes that may be damaged: each read checks the bounds, a failed one makes the reader fail for
// good and returns zero, so that a decoder reads all its fields and asks ok() once.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/varint.h"

namespace aduana {

template <class T>
inline T to_big_endian(T v) {
  static_assert(std::is_unsigned_v<T>);
  if constexpr (std::endian::native == std::endian::little) {
    if constexpr (sizeof(T) == 8) return __builtin_bswap64(v);
    if constexpr (sizeof(T) == 4) return __builtin_bswap32(v);
    if constexpr (sizeof(T) == 2) return __builtin_bswap16(v);
  }
  return v;
}

template <class T>
inline void store_be(char* out, T v) {
  v = to_big_endian(v);
  std::memcpy(out, &v, sizeof v);
}

template <class T>
inline T load_be(const char* in) {
  T v;
  std::memcpy(&v, in, sizeof v);
  return to_big_endian(v);
}

// The low `width` bytes of v, most significant first; width is 1 to 8.
inline void store_be_width(char* out, uint64_t v, int width) {
  for (int i = width - 1; i >= 0; --i, v >>= 8) out[i] = static_cast<char>(v);
}

inline uint64_t load_be_width(const char* in, int width) {
  uint64_t v = 0;
  for (int i = 0; i < width; ++i) v = v << 8 | static_cast<uint8_t>(in[i]);
  return v;
}

template <class T>
inline void append_be(std::string& out, T v) {
  char buffer[sizeof(T)];
  store_be(buffer, v);
  out.append(buffer, sizeof buffer);
}

inline void append_sized(std::string& out, std::string_view bytes) {
  append_varint(out, bytes.size());
  out.append(bytes);
}

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }

  template <class T>
  T be() {
    if (left() < sizeof(T)) return fail<T>();
    T v = load_be<T>(at_);
    at_ += sizeof(T);
    return v;
  }

  uint64_t varint() {
    uint64_t v;
    const char* next = read_varint(at_, end_, &v);
    if (!next) return fail<uint64_t>();
    at_ = next;
    return v;
  }

  int64_t zigzag() { return zigzag_decode(varint()); }

  std::string_view bytes(size_t n) {
    if (left() < n) return fail<std::string_view>();
    std::string_view v(at_, n);
    at_ += n;
    return v;
  }

  std::string_view sized() { return bytes(varint()); }

 private:
  template <class T>
  T fail() {
    ok_ = false;
    at_ = end_;
    return T{};
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

}  // namespace aduana
