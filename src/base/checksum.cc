#include "base/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace aduana {

uint64_t checksum64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace aduana
