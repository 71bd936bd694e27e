// A web whose pages change at random, each at its own constant rate (a Poisson process), and which is crawled by a
// recrawl policy in simulated time. The policy is told what a crawler would know: when a page was visited, and whether
// its content was another than at the visit before.
//
// The same seed gives the same changes. crawl() may be called by many threads, with a policy each.
#pragma once

#include <cstdint>
#include <vector>

#include "aduana/recrawl.h"

namespace aduana::bench {

inline constexpr Millis kSimulatedUnit = std::chrono::days(1);

struct SimulatedRun {
  double freshness = 0;  // share of the time in which the copy of a page was up to date, averaged over the pages
  double visits = 0;     // a page and unit
};

class SimulatedWeb {
 public:
  // Changes a unit, of each page.
  SimulatedWeb(std::vector<double> change_rates, uint64_t seed) : rates_(std::move(change_rates)), seed_(seed) {}

  const std::vector<double>& change_rates() const { return rates_; }

  // All pages are visited for the first time within the first unit, and then when the policy says. What is measured
  // begins after the warm-up.
  SimulatedRun crawl(Recrawl& policy, double units, double warm_up) const;

 private:
  const std::vector<double> rates_;
  const uint64_t seed_;
};

// Gamma-distributed change rates with mean 1.
std::vector<double> gamma_rates(uint64_t pages, double shape, uint64_t seed);

}  // namespace aduana::bench
