// OptimalFreshness keeps three sums over all pages without keeping anything for a page:
//
//   pages_    of 1,  scores_  of the score,  planned_  of the visit rate 1 / interval.
//
// A page that comes again replaces its old part of them by a new one. So that pages which come no more are forgotten,
// the parts fade as e^(−age / horizon), age being the time since the last visit, and are larger at the beginning, so
// that their mean over the interval is what it should be. What is left of the old part is known: the history of the
// page tells when it was visited and for when the next visit was planned.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "aduana/recrawl_policies.h"
#include "base/bytes.h"
#include "schedule/change_rate.h"
#include "schedule/visit_time.h"
#include "schedule/visit_worth.h"

namespace aduana {
namespace {

constexpr uint8_t kSavedVersion = 1;
constexpr double kHorizon = 16;          // in mean intervals
constexpr double kPriorWeight = 0.25;    // as many seen changes
constexpr double kOldest = 2;            // horizons; or a break of the whole crawl would leave nothing of the sums
constexpr double kMaxStep = 1;           // of the logarithm of the price, in one call
constexpr double kLowestLogPrice = -25;  // relative to the mean interval: keeps the price near where it has an effect
constexpr double kHighestLogPrice = 10;  // while the budget can't be met, or used up

constexpr double kLowestPrior = 1e-12;  // a change in 30,000 years; far below, numbers get too small to reckon with
constexpr double kSmallestBudget = 1e-9;
constexpr double kLargestBudget = 1e9;

double seconds(Millis duration) { return std::chrono::duration<double>(duration).count(); }

// A page's part in the sums after a visit, the next one being x horizons away: its mean until then is 1.
double part_at_first(double x) { return x > 0 ? x / -std::expm1(-x) : 1; }

// What is left of a part, or of a sum of parts, after x horizons.
double part_left(double x) { return std::exp(-std::min(x, kOldest)); }

}  // namespace

Result<std::shared_ptr<OptimalFreshness>> OptimalFreshness::make(const OptimalFreshnessOptions& options) {
  if (!(options.budget >= kSmallestBudget && options.budget <= kLargestBudget)) {
    return Error(Code::invalid, fmt::format("recrawl: a budget of {} visits a second; it must be from {} to {}",
                                            options.budget, kSmallestBudget, kLargestBudget));
  }
  if (!std::isfinite(options.prior_change_rate) || options.prior_change_rate < 0) {
    return Error(Code::invalid, fmt::format("recrawl: a prior change rate of {} a second; it must not be negative",
                                            options.prior_change_rate));
  }
  if (options.min_interval <= Millis{0} || options.max_interval < options.min_interval) {
    return Error(Code::invalid, fmt::format("recrawl: intervals from {} to {} ms; the first must be above 0 and at "
                                            "most the second",
                                            options.min_interval.count(), options.max_interval.count()));
  }
  return std::shared_ptr<OptimalFreshness>(new OptimalFreshness(options));
}

std::optional<Instant> OptimalFreshness::next_visit(const CrawlHistory& page, Instant now) {
  if (planned_ == 0) start(page, now);  // nothing came by yet
  const double elapsed = std::max(seconds(now - last_call_), 0.0);
  last_call_ = std::max(last_call_, now);
  fade(elapsed);
  adjust_price(elapsed);
  if (page.n_crawls > 1) {
    remove(page);
    pages_ += 1;
  } else {
    // The same visits are to do for one page more.
    const double before = std::log(usual_price());
    pages_ += 1;
    log_price_ += std::log(usual_price()) - before;
  }
  const double interval = plan(page);
  return visit_time(page, now, interval);
}

// All that can be supposed is that the other pages are like this one. If it was visited before, another policy has been
// planning visits, and these are supposed to use up the budget.
void OptimalFreshness::start(const CrawlHistory& page, Instant now) {
  last_call_ = now;
  if (page.n_crawls > 1) {
    pages_ = planned_interval(page) * options_.budget;
    scores_ = pages_ * score_of(page);
    planned_ = options_.budget;
  }
  log_price_ = std::log(usual_price());
}

void OptimalFreshness::fade(double elapsed) {
  const double kept = part_left(elapsed / horizon());
  pages_ *= kept;
  scores_ *= kept;
  planned_ *= kept;
}

// Pages that are visited far too often come soon and take the new price, those that rest take it late: a budget that is
// exceeded can be corrected in proportion, one that is not used up has to be with care.
void OptimalFreshness::adjust_price(double elapsed) {
  const double mean = mean_interval();
  const double excess = planned_ / options_.budget - 1;
  const double error = excess > 0 ? excess : std::max(std::log1p(excess), -kMaxStep);
  const double step = std::clamp(error * elapsed / mean, -kMaxStep, kMaxStep);
  log_price_ = std::clamp(log_price_ + step, std::log(mean) + kLowestLogPrice, std::log(mean) + kHighestLogPrice);
}

void OptimalFreshness::remove(const CrawlHistory& page) {
  const double interval = planned_interval(page);
  const double age = std::max(seconds(page.last_crawl - page.previous_crawl), 0.0);
  const double part = part_at_first(interval / horizon()) * part_left(age / horizon());
  pages_ = std::max(pages_ - part, 0.0);
  scores_ = std::max(scores_ - part * score_of(page), 0.0);
  planned_ = std::max(planned_ - part / interval, 0.0);
}

// The page is one of pages_ already; here it gets its part, whose size depends on the interval.
double OptimalFreshness::plan(const CrawlHistory& page) {
  scores_ += score_of(page);
  const double interval = next_interval(page);
  const double part = part_at_first(interval / horizon());
  pages_ += part - 1;
  scores_ += (part - 1) * score_of(page);
  planned_ += part / interval;
  return interval;
}

double OptimalFreshness::next_interval(const CrawlHistory& page) const {
  const auto history = changes_of(page);
  const double rate = history ? change_rate(*history, prior_rate(), kPriorWeight) : prior_rate();
  const double weight = scores_ > 0 ? score_of(page) * pages_ / scores_ : 1;
  const double interval = when_worth(rate * price() / weight) / rate;
  const double longest = std::max(mean_interval(), history ? history->seconds : 0);
  return within_limits(std::min(interval, longest));
}

// The interval that this visit ends, as it was planned; as it was, if it was planned by nobody.
double OptimalFreshness::planned_interval(const CrawlHistory& page) const {
  const Instant end = page.planned > page.previous_crawl ? page.planned : page.last_crawl;
  return within_limits(seconds(end - page.previous_crawl));
}

double OptimalFreshness::within_limits(double interval) const {
  return std::clamp(interval, seconds(options_.min_interval), seconds(options_.max_interval));
}

double OptimalFreshness::score_of(const CrawlHistory& page) const {
  if (!options_.weight_by_score) return 1;
  return std::isfinite(page.score) ? std::max<double>(page.score, 0) : 0;
}

double OptimalFreshness::mean_interval() const { return std::max(pages_, 1.0) / options_.budget; }

double OptimalFreshness::horizon() const { return kHorizon * mean_interval(); }

double OptimalFreshness::prior_rate() const {
  return options_.prior_change_rate > 0 ? std::max(options_.prior_change_rate, kLowestPrior) : 1 / mean_interval();
}

double OptimalFreshness::usual_price() const { return visit_worth(prior_rate() * mean_interval()) / prior_rate(); }

double OptimalFreshness::price() const { return std::exp(log_price_); }

std::string OptimalFreshness::save() const {
  std::string out(1, static_cast<char>(kSavedVersion));
  for (const double value : {pages_, scores_, planned_, log_price_}) append_be(out, std::bit_cast<uint64_t>(value));
  append_zigzag(out, last_call_.time_since_epoch().count());
  return out;
}

Status OptimalFreshness::load(std::string_view state) {
  double sums[] = {0, 0, 0, 0};
  Instant last_call{};
  if (!state.empty()) {
    ByteReader in(state);
    if (in.be<uint8_t>() != kSavedVersion) {
      return Error(
          Code::unsupported,
          "the saved state is of another recrawl policy, or of a newer version of this one; use what saved it");
    }
    for (double& value : sums) value = std::bit_cast<double>(in.be<uint64_t>());
    last_call = Instant{Millis{in.zigzag()}};
    const bool finite =
        std::all_of(std::begin(sums), std::end(sums), [](double value) { return std::isfinite(value); });
    if (!in.ok() || !in.at_end() || !finite || sums[0] < 0 || sums[1] < 0 || sums[2] < 0) {
      return Error(Code::corrupt, "the saved state of the recrawl policy can't be decoded");
    }
  }
  pages_ = sums[0];
  scores_ = sums[1];
  planned_ = sums[2];
  log_price_ = sums[3];
  last_call_ = last_call;
  return {};
}

}  // namespace aduana
