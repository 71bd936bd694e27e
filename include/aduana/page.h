// A page's identity and its place in life.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace aduana {

// The dense number of a page, in order of discovery. 64 bits in memory, 40 on disk. Never changes and is never used
// again.
struct PageIdx {
  uint64_t value = 0;
  auto operator<=>(const PageIdx&) const = default;
};

inline constexpr PageIdx kNoPage{~0ull};
inline constexpr uint64_t kMaxPages = (1ull << 40) - 2;

// Where a URL is in its life; always exactly one of these.
enum class PageState : uint8_t {
  known = 0,      // seen once, never forgotten
  queued = 1,     // in its host's queue
  leased = 2,     // handed out, to be confirmed before a time
  scheduled = 3,  // crawled, and to be crawled again when its time comes
  done = 4,       // crawled
  gone = 5,       // given up: failures used up, or excluded

  deleted = 6,  // with its queue: no page any more, only a number that is not used again. Never seen from outside.
};
inline constexpr size_t kPageStates = 6;  // that a page can be in
const char* name_of(PageState state);

// What a client says about how urgent a page is: 0 is the highest priority.
inline constexpr uint8_t kMaxPriority = 31;
inline constexpr uint8_t kDefaultPriority = 15;

// The crawl of pages that are reported without one.
inline constexpr std::string_view kDefaultCrawl = "DEFAULT";

}  // namespace aduana

template <>
struct std::hash<aduana::PageIdx> {
  size_t operator()(aduana::PageIdx i) const { return std::hash<uint64_t>()(i.value); }
};
