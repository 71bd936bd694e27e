// Politeness: how often, and how much at once, a queue may be asked for. A queue is the unit of politeness; by default
// all pages of a host.
//
// A queue may be given out when all of this holds; every limit can be switched off:
//   - the delay since its last request has passed: the largest of the minimum delay (or the one set for this queue),
//     `fetch_factor` times what the last fetch took, and the Crawl-delay of its robots.txt, the last two up to a cap;
//   - fewer than `max_in_flight` of its pages are leased;
//   - its temperature is at or under the limit. Temperature is the number of requests within `window`, cooling as
//     e^(−t/T); a limit is a rate, times the window. Queues at or under the soft limit come first; when they do not
//     suffice, those under one of four more limits in geometric steps, of which the last is the hard one;
//   - it is not blocked, by hand or after failures: these back off for a time that doubles with each in a row.
//
// `overrides` change some of it for the queues whose keys match a pattern; of several that match, the first counts.
// No delay may be longer than 49 days.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aduana/result.h"
#include "aduana/time.h"

namespace aduana {

inline constexpr int kTemperatureSteps = 5;
inline constexpr Millis kLongestDelay = std::chrono::days(49);  // 32 bits on disk

struct PolitenessOptions {
  Millis min_delay{1000};
  double fetch_factor = 10;
  Millis max_fetch_delay{60'000};
  Millis max_crawl_delay{30'000};
  uint32_t max_in_flight = 1;  // 0: any number

  // Requests a second, averaged over the window; 0: no limit.
  double soft_rate = 0;
  double hard_rate = 0;
  Millis window{60'000};

  Millis first_back_off{1000};
  Millis max_back_off{3'600'000};

  // No delays, no limits.
  static PolitenessOptions none();
  // Code::invalid names what makes no sense.
  Status validate() const;

  bool has_temperature() const { return hard_rate > 0; }
  // The temperature up to which a queue is served in step k, 0 to kTemperatureSteps − 1.
  std::array<double, kTemperatureSteps> temperature_limits() const;
};

// Of all queues that the client said are on one IP address (QueueControl::address), together, in all crawls of the
// store. 0: no limit.
struct AddressLimits {
  Millis min_delay{0};
  uint32_t max_in_flight = 0;
};

struct PolitenessOverride {
  std::string pattern;  // of the queue's key, that is its host: * for any characters, ? for one
  std::optional<Millis> min_delay = {};
  std::optional<double> fetch_factor = {};
  std::optional<uint32_t> max_in_flight = {};
  std::optional<double> soft_rate = {}, hard_rate = {};
};

}  // namespace aduana
