// Instants on disk: milliseconds since 1970 in 48 bits, big-endian. What lies outside becomes the nearest that does
// not.
#pragma once

#include <algorithm>

#include "aduana/time.h"
#include "base/bytes.h"

namespace aduana {

inline constexpr int kTimeBytes = 6;
inline constexpr Instant kLastInstant{Millis{(int64_t{1} << 48) - 1}};  // in the year 10889

inline void store_time(char* out, Instant t) {
  const Instant kept = std::clamp(t, Instant{}, kLastInstant);
  store_be_width(out, static_cast<uint64_t>(kept.time_since_epoch().count()), kTimeBytes);
}

inline Instant load_time(const char* in) {
  return Instant{Millis{static_cast<int64_t>(load_be_width(in, kTimeBytes))}};
}

}  // namespace aduana
