#include "schedule/change_rate.h"

#include <algorithm>
#include <cmath>

namespace aduana {

std::optional<Watch> watch_of(const CrawlHistory& page) {
  Watch watch;
  watch.seconds = std::chrono::duration<double>(page.last_crawl - page.first_crawl).count();
  if (page.n_crawls < 2 || !(watch.seconds > 0)) return std::nullopt;
  watch.visits = page.n_crawls - 1;
  watch.changes = std::min<double>(page.n_changes, watch.visits);
  return watch;
}

double change_rate(const Watch& watch) {
  const double rate = std::log((watch.visits + 0.5) / (watch.visits - watch.changes + 0.5)) / watch.interval();
  return std::max(rate, 0.5 / watch.seconds);
}

double change_rate(const Watch& watch, double prior_rate, double weight) {
  const double quiet_visits = weight / (prior_rate * watch.interval());
  const double unchanged = watch.visits - watch.changes + quiet_visits;
  return std::log1p((watch.changes + weight) / unchanged) / watch.interval();
}

}  // namespace aduana
