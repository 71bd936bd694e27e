// The two fixed-size records of the page table, and how they lie on disk (docs/formats/pages.md).
//
// PageRecord (16 bytes) is what every page has, so that a page only seen as a link costs little.
// DetailRecord (64 bytes) is made when a page is first crawled, fails, or gets client metadata.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "aduana/time.h"
#include "base/extent_log.h"
#include "base/ids.h"

namespace aduana {

struct PageRecord {
  static constexpr size_t kBytes = 16;

  static constexpr uint16_t kMaxDepth = 4095;
  static constexpr uint8_t kMaxDomainDepth = 255;

  HostId queue;  // the name of its queue: that of its host, unless configured otherwise
  float score = 0;
  uint64_t detail = 0;       // number of the DetailRecord + 1, 0 if none; 36 bits
  uint16_t depth = 0;        // links from the seed; kMaxDepth stands for more, too
  uint8_t domain_depth = 1;  // links within its domain from where it was entered, which is 1; the largest as above
  uint8_t priority = kDefaultPriority;
  PageState state = PageState::known;

  void encode(char* out) const;
  static PageRecord decode(const char* in);
};

struct DetailRecord {
  static constexpr size_t kBytes = 64;
  static constexpr size_t kInlineHash = 16;
  static constexpr uint8_t kHashElsewhere = 255;

  PageIdx page;
  uint32_t n_crawls = 0;
  uint32_t n_changes = 0;
  Instant first_crawl{};
  Instant last_crawl{};
  Instant due{};  // when it is to be crawled again, if it is scheduled; of a client's date also while it is queued
  uint8_t failures = 0;  // since the last crawl
  ExtentAddress links = 0;
  ExtentAddress metadata = 0;
  // Up to 16 bytes of content hash are here; of longer ones the address.
  uint8_t hash_length = 0;
  std::array<char, kInlineHash> hash{};
  ExtentAddress hash_address = 0;

  void encode(char* out) const;
  static DetailRecord decode(const char* in);
};

}  // namespace aduana
