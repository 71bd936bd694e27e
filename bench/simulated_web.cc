#include "simulated_web.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include "random.h"

namespace aduana::bench {
namespace {

constexpr Instant kStart{std::chrono::days(10'000)};
constexpr double kSlowestRate = 1e-12;  // a rate of 0 would have no time of the next change

Instant instant(double units) {
  return kStart + Millis{static_cast<int64_t>(units * static_cast<double>(kSimulatedUnit.count()))};
}

double units_at(Instant time) {
  return static_cast<double>((time - kStart).count()) / static_cast<double>(kSimulatedUnit.count());
}

double exponential(Random& random) { return -std::log1p(-random.unit()); }

double normal(Random& random) {
  const double angle = 2 * std::numbers::pi * random.unit();
  return std::sqrt(2 * exponential(random)) * std::cos(angle);
}

// Marsaglia and Tsang's method.
double gamma(Random& random, double shape) {
  if (shape < 1) {
    const double larger = gamma(random, shape + 1);
    return larger * std::exp(-exponential(random) / shape);
  }
  const double d = shape - 1.0 / 3;
  for (;;) {
    const double x = normal(random);
    const double v = std::pow(1 + x / std::sqrt(9 * d), 3);
    if (v > 0 && -exponential(random) < x * x / 2 + d * (1 - v + std::log(v))) return d * v;
  }
}

struct Page {
  CrawlHistory history;
  double visited = 0;  // in units
  double changes = 0;  // first time after that
};

struct Visit {
  Instant due;
  uint64_t page;
  auto operator<=>(const Visit&) const = default;
};

}  // namespace

SimulatedRun SimulatedWeb::crawl(Recrawl& policy, double units, double warm_up) const {
  Random random(seed_);
  std::vector<Page> pages(rates_.size());
  std::priority_queue<Visit, std::vector<Visit>, std::greater<>> visits;
  for (uint64_t i = 0; i < pages.size(); ++i) visits.push({instant(random.unit()), i});

  SimulatedRun run;
  auto measure = [&](const Page& page, double until) {
    run.freshness += std::max(std::min(page.changes, until) - std::max(page.visited, warm_up), 0.0);
  };
  const Instant end = instant(units);
  for (; !visits.empty() && visits.top().due <= end;) {
    const auto [now, number] = visits.top();
    visits.pop();
    Page& page = pages[number];
    CrawlHistory& history = page.history;
    const double at = units_at(now);
    if (history.n_crawls == 0) {
      history.page = {number};
      history.score = 1;
      history.first_crawl = now;
    } else {
      measure(page, at);
      if (at > warm_up) run.visits += 1;
      history.previous_crawl = history.last_crawl;
      history.changed = page.changes <= at;
      history.n_changes += history.changed;
    }
    ++history.n_crawls;
    history.last_crawl = now;
    page.visited = at;
    page.changes = at + exponential(random) / rates_[number];
    if (const auto next = policy.next_visit(history, now)) {
      history.planned = *next;
      visits.push({*next, number});
    }
  }
  for (const Page& page : pages) measure(page, units);
  const double measured = static_cast<double>(pages.size()) * (units - warm_up);
  run.freshness /= measured;
  run.visits /= measured;
  return run;
}

std::vector<double> gamma_rates(uint64_t pages, double shape, uint64_t seed) {
  Random random(mix(seed));
  std::vector<double> rates;
  for (uint64_t i = 0; i < pages; ++i) rates.push_back(std::max(gamma(random, shape) / shape, kSlowestRate));
  return rates;
}

}  // namespace aduana::bench
