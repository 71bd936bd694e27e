// What goes into a store: crawled pages with their links, and what came of it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "aduana/page.h"
#include "aduana/result.h"
#include "aduana/time.h"

namespace aduana {

struct ReportedLink {
  std::string_view url;  // absolute, or relative to the page
  float score = 0;       // how good the page behind it may be
  uint8_t priority = kDefaultPriority;
};

// The information that comes with a crawled page.
struct ReportedPage {
  std::string_view url;
  float score = 0;                     // what the page was worth
  std::optional<Instant> time = {};    // when it was crawled; now, if not given or more than kMostAhead in the future.
                                       // The time of the last or the first crawl again: a repetition, which counts for
                                       // nothing. A time before the last crawl: counted, but what is known since then
                                       // stays
  std::string_view content_hash = {};  // any bytes; empty: not given
  std::span<const ReportedLink> links = {};
  std::optional<std::string_view> metadata = {};  // the client's bytes; not given: what was there stays
  std::optional<Millis> fetch_time = {};          // what fetching it took
  std::string_view crawl = {};                    // empty: DEFAULT
  std::string_view queue = {};                    // a key of the client's own; empty: the host, as configured
  // The sender repeats what it got no answer to. If no time is given that would tell, the same score, hash, metadata
  // and links again within kRepeatedWithin are a repetition, too, unless the page waits or waited to be crawled again.
  bool may_be_repeated = false;
};

inline constexpr Millis kRepeatedWithin{600'000};
inline constexpr Millis kMostAhead{86'400'000};  // that a client's clock is believed to be

// A URL to make known, without a page that links it.
struct Discovery {
  std::string_view url;
  float score = 0;
  std::string_view metadata = {};
  uint8_t priority = kDefaultPriority;
  std::string_view crawl = {};  // as in ReportedPage
  std::string_view queue = {};
};

struct LinkRefusal {
  size_t link;  // its place among the links of the page
  Error error;
};

struct PageOutcome {
  std::optional<Error> error;        // why the page was refused, with all its links
  std::vector<LinkRefusal> refused;  // links that were; the rest of the page is kept
  PageIdx page = kNoPage;
};

struct ReportResult {
  std::vector<PageOutcome> pages;  // one each, in order
  uint64_t new_urls = 0;
  uint64_t lsn = 0;  // of the last event; 0 if nothing was stored
};

struct DiscoverResult {
  std::vector<std::optional<Error>> errors;  // one each, in order
  uint64_t new_urls = 0;
  uint64_t lsn = 0;
};

}  // namespace aduana
