// How often a page changes, as far as visits can tell: a visit sees that there was a change since the one before, but
// not how many. Rates are per second. Pure functions.
#pragma once

#include <optional>

#include "aduana/recrawl.h"

namespace aduana {

// What the visits after the first one saw.
struct Watch {
  double visits = 0;   // at least 1
  double changes = 0;  // at most as many
  double seconds = 0;  // from the first visit to the last; above 0

  double interval() const { return seconds / visits; }
};

// Nothing before the second visit.
std::optional<Watch> watch_of(const CrawlHistory& page);

// With X changes in n visits at a mean interval I the nearly unbiased −ln((n − X + 0.5)/(n + 0.5)) / I. A page that was
// never seen to change counts as if half a change had been seen: no page is taken for one that never changes.
double change_rate(const Watch& watch);

// The same with a guess to start from, which weighs as much as `weight` changes seen in weight / prior_rate seconds.
// (If the probability of no change in I is Beta-distributed: the exact posterior of the rate has this as its centre.)
double change_rate(const Watch& watch, double prior_rate, double weight);

}  // namespace aduana
