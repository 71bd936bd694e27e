// PageInfo: everything that is known about a page, as documented, with what the original's code had beyond it.
#pragma once

#include <string>

#include "aduana/page.h"
#include "aduana/time.h"

namespace aduana {

struct PageInfo {
  PageIdx idx;
  std::string url;
  std::string host;
  uint64_t hash = 0;  // the documented 64-bit hash of the URL
  PageState state = PageState::known;
  PageIdx linked_from = kNoPage;  // the page that first linked this one; fixed at first sight
  uint64_t linked_from_hash = 0;  // its hash; 0 if none
  uint32_t depth = 0;             // links from a page that nobody linked; fixed at first sight
  float score = 0;                // of the last crawl, or of the link that showed the page
  uint32_t n_crawls = 0;
  uint32_t n_changes = 0;  // content changes seen between the first and the last crawl
  Instant first_crawl{};   // the epoch while n_crawls is 0
  Instant last_crawl{};
  Instant next_visit{};      // the epoch if it is not scheduled
  std::string content_hash;  // of the last crawl that came with one
  std::string metadata;      // the client's own bytes
};

// "first_crawl last_crawl n_crawls n_changes url": times as ctime prints them (UTC), numbers as 1.21e+01, at most 512
// bytes of the URL.
std::string print(const PageInfo& page);

// The documented estimate of changes per second: (n_changes + 1) / (last − first); −1 when that span is not positive.
double documented_change_rate(const PageInfo& page);

// The nearly unbiased estimate: with X changes in n visits at a mean interval I, −ln((n − X + 0.5)/(n + 0.5)) / I.
// −1 when there was no second visit.
double change_rate(const PageInfo& page);

}  // namespace aduana
