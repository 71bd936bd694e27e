// How often a page is taken to change when its next visit is planned; unlike an estimate for readers, never zero. Rates
// are per second. Pure functions.
#pragma once

#include <optional>

#include "aduana/recrawl.h"
#include "base/change_history.h"

namespace aduana {

inline std::optional<ChangeHistory> changes_of(const CrawlHistory& page) {
  return ChangeHistory::of(page.n_crawls, page.n_changes, page.first_crawl, page.last_crawl);
}

// A page that was never seen to change counts as if half a change had been seen: no page is taken for one that never
// changes.
inline double change_rate(const ChangeHistory& history) {
  return std::max(history.unbiased_rate(), 0.5 / history.seconds);
}

// The same with a guess to start from, which weighs as much as `weight` changes seen in weight / prior_rate seconds.
// (If the probability of no change in I is Beta-distributed: the exact posterior of the rate has this as its centre.)
inline double change_rate(const ChangeHistory& history, double prior_rate, double weight) {
  const double quiet_visits = weight / (prior_rate * history.interval());
  const double unchanged = history.visits - history.changes + quiet_visits;
  return std::log1p((history.changes + weight) / unchanged) / history.interval();
}

}  // namespace aduana
