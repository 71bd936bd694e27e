// What is not crawled though it was found: limits, and defences against sites that have no end. A URL that is refused
// stays known, and is counted by the reason. Seeds are subject to the numbers of pages and to `only_web`.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aduana {

enum class Refusal : uint8_t {
  seed_depth = 0,
  domain_depth = 1,
  url_length = 2,
  repeated_segments = 3,
  queue_full = 4,
  crawl_full = 5,
  not_web = 6,
};
inline constexpr size_t kRefusalReasons = 7;
const char* name_of(Refusal reason);

// 0 is no limit, everywhere.
struct CrawlLimits {
  uint32_t max_seed_depth = 0;         // links from a seed
  uint32_t max_domain_depth = 0;       // links within a domain; its entrance is 1
  size_t max_url_length = 2048;        // bytes
  uint32_t max_repeated_segments = 4;  // times that one segment may stand in the path
  uint64_t max_pages_per_queue = 0;    // queued, leased, crawled or given up
  uint64_t max_pages_per_crawl = 0;
  bool only_web = true;  // http and https; no mailto:, javascript:, ftp: …
};

}  // namespace aduana
