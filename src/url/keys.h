// The numbers that stand for a URL: the documented 64-bit hash and the 128-bit identity of a page.
//
// Both begin with 32 bits of the host, the same for every scheme and port of it, so that the pages of a host sort
// together. They are stored in files and known to clients: what these functions return must never change.
// No state, safe from any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "url/canonical.h"

namespace aduana {

// The documented hash: high 32 bits of the host, low 32 of the full URL.
uint64_t url_hash(std::string_view canonical_text, std::string_view host);
uint64_t url_hash(const CanonicalView& url);

inline uint32_t url_hash_domain(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
inline uint32_t url_hash_url(uint64_t hash) { return static_cast<uint32_t>(hash); }

// 32 bits of the host's hash, then 96 of the URL's (XXH3-128).
struct PageKey {
  uint64_t hi = 0;
  uint64_t lo = 0;

  friend auto operator<=>(const PageKey&, const PageKey&) = default;
};

// `scope` tells apart the same URL in different crawls: it seeds the URL's hash and the host's.
PageKey page_key(const CanonicalView& url, uint64_t scope = 0);

// The key of a page in the queue of that name; the host itself, or nothing, is the queue of URLs as such.
PageKey page_key_in(const CanonicalView& url, std::string_view queue);

// 32 hexadecimal digits, which sort as the keys do.
std::string to_hex(const PageKey& key);

}  // namespace aduana
