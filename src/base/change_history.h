// What visits to a page tell about how often it changes: a visit sees that there was a change since the one before,
// but not how many. Pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "aduana/time.h"

namespace aduana {

// What the visits after the first one saw.
struct ChangeHistory {
  double visits = 0;   // at least 1
  double changes = 0;  // at most as many
  double seconds = 0;  // from the first visit to the last; above 0

  double interval() const { return seconds / visits; }

  // Nothing before the second visit.
  static std::optional<ChangeHistory> of(uint32_t n_crawls, uint32_t n_changes, Instant first, Instant last) {
    ChangeHistory history;
    history.seconds = std::chrono::duration<double>(last - first).count();
    if (n_crawls < 2 || !(history.seconds > 0)) return std::nullopt;
    history.visits = n_crawls - 1;
    history.changes = std::min<double>(n_changes, history.visits);
    return history;
  }

  // Changes a second: with X changes in n visits at a mean interval I the nearly unbiased
  // −ln((n − X + 0.5)/(n + 0.5)) / I.
  double unbiased_rate() const { return std::log((visits + 0.5) / (visits - changes + 0.5)) / interval(); }
};

}  // namespace aduana
