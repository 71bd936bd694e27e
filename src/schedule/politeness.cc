#include "schedule/politeness.h"

#include <fmt/format.h>

#include <cmath>

namespace aduana {
namespace {

// * stands for any characters, ? for one.
bool matches(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

PolitenessOptions PolitenessOptions::none() {
  PolitenessOptions options;
  options.min_delay = Millis{0};
  options.fetch_factor = 0;
  options.max_crawl_delay = Millis{0};
  options.max_in_flight = 0;
  options.first_back_off = Millis{0};
  return options;
}

Status PolitenessOptions::validate() const {
  const auto bad = [](std::string_view what) { return Error(Code::invalid, fmt::format("politeness: {}", what)); };
  if (min_delay < Millis{0}) return bad("the minimum delay is negative");
  if (!(fetch_factor >= 0) || !std::isfinite(fetch_factor))
    return bad("the factor of the fetch time must be 0 or more");
  if (max_fetch_delay < Millis{0} || max_crawl_delay < Millis{0}) return bad("the cap of a delay is negative");
  if (!(soft_rate >= 0) || !(hard_rate >= 0) || !std::isfinite(soft_rate) || !std::isfinite(hard_rate)) {
    return bad("a crawl rate must be 0 or more requests a second");
  }
  if (hard_rate > 0 && (soft_rate == 0 || soft_rate > hard_rate)) {
    return bad("the soft crawl rate must be above 0 and not above the hard one");
  }
  if (soft_rate > 0 && hard_rate == 0) return bad("a soft crawl rate needs a hard one");
  for (const Millis delay : {min_delay, max_fetch_delay, max_crawl_delay, max_back_off, window}) {
    if (delay > kLongestDelay) return bad("a delay is longer than 49 days");
  }
  if (window <= Millis{0}) return bad("the window of the temperature must be longer than 0");
  if (first_back_off < Millis{0} || max_back_off < first_back_off) {
    return bad("the back-off must be 0 or more, and its maximum not below the first");
  }
  return {};
}

std::array<double, kTemperatureSteps> PolitenessOptions::temperature_limits() const {
  std::array<double, kTemperatureSteps> limits{};
  const double seconds = static_cast<double>(window.count()) / 1000;
  for (int k = 0; k < kTemperatureSteps; ++k) {
    const double step = static_cast<double>(k) / (kTemperatureSteps - 1);
    limits[static_cast<size_t>(k)] = soft_rate > 0 ? soft_rate * std::pow(hard_rate / soft_rate, step) * seconds : 0;
  }
  return limits;
}

Result<PolitenessRules> PolitenessRules::make(const PolitenessOptions& common,
                                              const std::vector<PolitenessOverride>& overrides) {
  PolitenessRules rules;
  ADUANA_TRY(common.validate());
  rules.rules_.push_back({common, common.temperature_limits()});
  if (overrides.size() >= UINT16_MAX) return Error(Code::invalid, "politeness: more than 65,534 overrides");
  for (const PolitenessOverride& with : overrides) {
    PolitenessOptions options = common;
    options.min_delay = with.min_delay.value_or(common.min_delay);
    options.fetch_factor = with.fetch_factor.value_or(common.fetch_factor);
    options.max_in_flight = with.max_in_flight.value_or(common.max_in_flight);
    options.soft_rate = with.soft_rate.value_or(common.soft_rate);
    options.hard_rate = with.hard_rate.value_or(common.hard_rate);
    if (Status valid = options.validate(); !valid) return valid.error().within("override for " + with.pattern);
    rules.rules_.push_back({options, options.temperature_limits()});
    rules.patterns_.push_back(with.pattern);
  }
  return rules;
}

uint16_t PolitenessRules::rule_for(std::string_view queue_key) const {
  for (size_t i = 0; i < patterns_.size(); ++i) {
    if (matches(patterns_[i], queue_key)) return static_cast<uint16_t>(i + 1);
  }
  return 0;
}

}  // namespace aduana
