// When a visit is due an interval after the last crawl. Never before now, whatever clocks say; an interval so long that
// no Instant could hold it ends with the last one that can be stored.
#pragma once

#include <algorithm>
#include <cmath>

#include "aduana/recrawl.h"
#include "base/time_bytes.h"

namespace aduana {

inline Instant visit_time(const CrawlHistory& page, Instant now, double interval_seconds) {
  const auto longest = static_cast<double>(kLastInstant.time_since_epoch().count());
  const double ms = std::clamp(std::ceil(interval_seconds * 1000), 1.0, longest);
  const Instant from = std::min(page.last_crawl, now);  // a crawl in the future is another clock's
  return std::clamp(from + Millis{static_cast<int64_t>(ms)}, now, std::max(now, kLastInstant));
}

}  // namespace aduana
