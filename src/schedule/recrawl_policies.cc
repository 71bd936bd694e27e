#include "aduana/recrawl_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "schedule/change_rate.h"
#include "schedule/visit_time.h"

namespace aduana {

Result<std::shared_ptr<FixedPeriod>> FixedPeriod::make(Millis period) {
  if (period <= Millis{0}) {
    return Error(Code::invalid, fmt::format("recrawl: a period of {} ms; it must be above 0", period.count()));
  }
  return std::shared_ptr<FixedPeriod>(new FixedPeriod(period));
}

std::optional<Instant> FixedPeriod::next_visit(const CrawlHistory& page, Instant now) {
  return visit_time(page, now, std::chrono::duration<double>(period_).count());
}

Result<std::shared_ptr<ChangeProportional>> ChangeProportional::make(const ChangeProportionalOptions& options) {
  if (!std::isfinite(options.default_frequency) || options.default_frequency <= 0) {
    return Error(Code::invalid, fmt::format("recrawl: a default frequency of {} visits a second; it must be above 0",
                                            options.default_frequency));
  }
  if (!std::isfinite(options.scale) || !std::isfinite(options.margin)) {
    return Error(Code::invalid,
                 fmt::format("recrawl: scale {} and margin {}; both must be numbers", options.scale, options.margin));
  }
  return std::shared_ptr<ChangeProportional>(new ChangeProportional(options));
}

std::optional<Instant> ChangeProportional::next_visit(const CrawlHistory& page, Instant now) {
  if (options_.max_n_crawls > 0 && page.n_crawls >= options_.max_n_crawls) return std::nullopt;
  double frequency = options_.default_frequency;
  if (const auto history = changes_of(page); history && options_.scale > 0)
    frequency = options_.scale * change_rate(*history);
  return visit_time(page, now, 1 / (frequency * (1 + std::max(options_.margin, 0.0))));
}

}  // namespace aduana
