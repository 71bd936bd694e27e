// UTF-8 that may be damaged, decoded as browsers do it: each maximal broken part of a sequence becomes one U+FFFD.
//
// decode_utf8 always advances, so a loop over any bytes ends, and what it returns is always a Unicode scalar value.
// No state, safe from any thread.
#pragma once

#include <cstdint>
#include <string>

namespace aduana {

inline constexpr char32_t kReplacement = 0xFFFD;

// The scalar value at `at`, which moves past it; at < end.
inline char32_t decode_utf8(const char*& at, const char* end) {
  const auto lead = static_cast<uint8_t>(*at++);
  if (lead < 0x80) return lead;
  // The second byte's range is what keeps out overlong forms, surrogates and values over U+10FFFF.
  uint8_t low = 0x80, high = 0xBF;
  int more;
  char32_t value;
  if (lead >= 0xC2 && lead <= 0xDF) {
    more = 1;
    value = lead & 0x1Fu;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    more = 2;
    value = lead & 0x0Fu;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    more = 3;
    value = lead & 0x07u;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return kReplacement;
  }
  for (; more > 0; --more) {
    if (at == end) return kReplacement;
    const auto next = static_cast<uint8_t>(*at);
    if (next < low || next > high) return kReplacement;
    low = 0x80;
    high = 0xBF;
    value = value << 6 | (next & 0x3Fu);
    ++at;
  }
  return value;
}

// `value` is a scalar value: not a surrogate, at most U+10FFFF.
inline void append_utf8(std::string& out, char32_t value) {
  if (value < 0x80) {
    out += static_cast<char>(value);
  } else if (value < 0x800) {
    out += static_cast<char>(0xC0 | value >> 6);
    out += static_cast<char>(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    out += static_cast<char>(0xE0 | value >> 12);
    out += static_cast<char>(0x80 | (value >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (value & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | value >> 18);
    out += static_cast<char>(0x80 | (value >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (value >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (value & 0x3F));
  }
}

}  // namespace aduana
