// The checksum of every format: XXH3, 64 bits, or its low 32 where space counts.
#pragma once

#include <cstdint>
#include <string_view>

namespace aduana {

uint64_t checksum64(std::string_view bytes, uint64_t seed = 0);
inline uint32_t checksum32(std::string_view bytes, uint64_t seed = 0) {
  return static_cast<uint32_t>(checksum64(bytes, seed));
}

}  // namespace aduana
