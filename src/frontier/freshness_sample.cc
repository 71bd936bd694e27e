#include "frontier/freshness_sample.h"

#include <algorithm>
#include <cmath>

#include "schedule/change_rate.h"

namespace aduana {
namespace {

// The age that a share of the pages is below, at most. Puts them in another order.
Millis quantile(std::vector<Millis>& ages, double share) {
  const auto at = ages.begin() + static_cast<ptrdiff_t>(share * static_cast<double>(ages.size() - 1));
  std::nth_element(ages.begin(), at, ages.end());
  return *at;
}

}  // namespace

Result<FreshnessEstimate> sample_freshness(const StoreSnapshot& snapshot, Instant now, size_t most) {
  const PagesSnapshot& pages = snapshot.pages;
  const uint64_t all = pages.details();
  const uint64_t looked = std::min<uint64_t>(all, most);
  FreshnessEstimate estimate;
  std::vector<Millis> ages;
  uint64_t due = 0;
  double fresh = 0;
  for (uint64_t i = 0; i < looked; ++i) {
    // All / looked apart, and no product that overflows.
    const uint64_t number = i * (all / looked) + i * (all % looked) / looked;
    ADUANA_ASSIGN(const DetailRecord detail, pages.detail(number));
    if (detail.n_crawls == 0) continue;
    ADUANA_ASSIGN(const PageRecord record, pages.record(detail.page));
    if (record.state == PageState::deleted) continue;
    const Millis age = std::max(now - detail.last_crawl, Millis{0});
    ages.push_back(age);
    due += record.state == PageState::queued || record.state == PageState::leased;
    const auto history = ChangeHistory::of(detail.n_crawls, detail.n_changes, detail.first_crawl, detail.last_crawl);
    if (!history) continue;
    ++estimate.known;
    fresh += std::exp(-change_rate(*history) * std::chrono::duration<double>(age).count());
  }
  estimate.sampled = ages.size();
  if (ages.empty()) return estimate;
  const double share_of_all = static_cast<double>(all) / static_cast<double>(looked);
  estimate.due = static_cast<uint64_t>(std::llround(static_cast<double>(due) * share_of_all));
  if (estimate.known) estimate.fresh = fresh / static_cast<double>(estimate.known);
  estimate.median_age = quantile(ages, 0.5);
  estimate.p90_age = quantile(ages, 0.9);
  return estimate;
}

}  // namespace aduana
