#include "schedule/temperature.h"

#include <algorithm>
#include <cmath>

namespace aduana {
namespace {

constexpr double kCold = 1e-3;  // below this a domain need not be remembered

}  // namespace

double Temperature::at(Instant now, Millis window) const {
  if (now <= as_of || value == 0) return value;
  const auto elapsed = static_cast<double>((now - as_of).count());
  return value * std::exp(-elapsed / static_cast<double>(window.count()));
}

Instant Temperature::cool_at(double limit, Millis window) const {
  if (value <= limit) return as_of;
  const double ms = static_cast<double>(window.count()) * std::log(value / limit);
  constexpr double kForever = 1e15;  // longer than anybody will crawl, and far from the end of Instant
  Instant at_limit = as_of + Millis{static_cast<int64_t>(std::ceil(std::min(ms, kForever)))};
  // Rounding must not leave it a hair above the limit at that time.
  while (ms < kForever && at(at_limit, window) > limit) at_limit += Millis{1};
  return at_limit;
}

void DomainTemperatures::heat(uint32_t domain_hash) {
  domains_[domain_hash].heat(now_, window_);
  if (domains_.size() >= forget_at_) forget_cold();
}

double DomainTemperatures::get(uint32_t domain_hash) const {
  const auto found = domains_.find(domain_hash);
  return found == domains_.end() ? 0 : found->second.at(now_, window_);
}

void DomainTemperatures::forget_cold() {
  std::erase_if(domains_, [&](const auto& domain) { return domain.second.at(now_, window_) < kCold; });
  forget_at_ = std::max<size_t>(1024, domains_.size() * 2);
}

}  // namespace aduana
