#include "url/keys.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace aduana {
namespace {

constexpr uint64_t kHighHalf = 0xFFFFFFFF00000000;

uint64_t hash_high(std::string_view text, uint64_t seed) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed) & kHighHalf;
}

}  // namespace

uint64_t url_hash(std::string_view canonical_text, std::string_view host) {
  return hash_high(host, 0) | XXH3_64bits(canonical_text.data(), canonical_text.size()) >> 32;
}

uint64_t url_hash(const CanonicalView& url) { return url_hash(url.text, url.host); }

PageKey page_key(const CanonicalView& url, uint64_t scope) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(url.text.data(), url.text.size(), scope);
  return {hash_high(url.host, scope) | hash.high64 >> 32, hash.low64};
}

PageKey page_key_in(const CanonicalView& url, std::string_view queue) {
  if (queue.empty() || queue == url.host) return page_key(url);
  constexpr uint64_t kNotPlain = 1;  // 0 is the scope of URLs as such
  return page_key(url, XXH3_64bits(queue.data(), queue.size()) | kNotPlain);
}

std::string to_hex(const PageKey& key) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out(32, '0');
  for (int i = 0; i < 16; ++i) {
    out[i] = kDigits[key.hi >> (60 - 4 * i) & 15];
    out[16 + i] = kDigits[key.lo >> (60 - 4 * i) & 15];
  }
  return out;
}

}  // namespace aduana
