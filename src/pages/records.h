// The two fixed-size records of the page table, and how they lie on disk (docs/formats/pages.md).
//
// PageRecord (16 bytes) is what every page has, so that a page only seen as a link costs little.
// DetailRecord (64 bytes) is made when a page is first crawled, or gets client metadata.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "aduana/time.h"
#include "base/extent_log.h"
#include "pages/ids.h"

namespace aduana {

// Where a URL is in its life; always exactly one of these.
enum class PageState : uint8_t {
  known = 0,      // seen once, never forgotten
  queued = 1,     // in its host's queue
  leased = 2,     // handed out, to be confirmed before a time
  scheduled = 3,  // crawled, and to be crawled again when its time comes
  done = 4,       // crawled
  gone = 5,       // given up: failures used up, or excluded
};
inline constexpr size_t kPageStates = 6;
const char* name_of(PageState state);

struct PageRecord {
  static constexpr size_t kBytes = 16;

  HostId host;
  float score = 0;
  uint64_t detail = 0;  // number of the DetailRecord + 1, 0 if none; 40 bits
  uint16_t depth = 0;   // links from the seed; 65535 stands for more, too
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
