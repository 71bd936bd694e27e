// The freshness of pages whose change rates are known, and the best that can be had for a number of visits: what
// recrawl policies, which have to learn the rates, are measured by. Slow and plain; nothing is shared with them.
//
// Freshness is the share of the time in which a copy is up to date. Rates are in any unit, the same everywhere. Pure
// functions.
#pragma once

#include <span>
#include <vector>

namespace aduana {

// Of a page that changes at `change_rate` and is visited at fixed intervals, `visit_rate` times.
double freshness(double change_rate, double visit_rate);

// The mean over pages, by weight; no weights: all alike.
double mean_freshness(std::span<const double> change_rates, std::span<const double> visit_rates,
                      std::span<const double> weights = {});

// The visit rates with the sum `budget` for which the mean freshness is highest. 0 for a page that is not worth its
// visits. Rates and weights are above 0.
std::vector<double> optimal_visit_rates(std::span<const double> change_rates, double budget,
                                        std::span<const double> weights = {});

}  // namespace aduana
