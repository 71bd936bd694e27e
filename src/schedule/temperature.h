// How hot a host is: an estimate of how many times it was crawled within a window of time T, which cools as e^(−t/T).
//
// Temperature is the number for one host; DomainTemperatures is the documented interface (heat, get, with its own
// notion of now), for any number of domains. Time going back changes nothing: cooling waits until it has caught up.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "aduana/time.h"

namespace aduana {

struct Temperature {
  double value = 0;
  Instant as_of{};

  double at(Instant now, Millis window) const;
  void heat(Instant now, Millis window) {
    value = at(now, window) + 1;
    as_of = std::max(as_of, now);
  }
  // When it will have cooled to `limit`, which is above 0; a time that has passed, if it is there already.
  Instant cool_at(double limit, Millis window) const;
};

class DomainTemperatures {
 public:
  explicit DomainTemperatures(Millis window) : window_(window) {}

  // Moves time forward; all domains cool.
  void update(Instant now) { now_ = std::max(now_, now); }
  void heat(uint32_t domain_hash);
  double get(uint32_t domain_hash) const;
  size_t size() const { return domains_.size(); }

 private:
  void forget_cold();

  const Millis window_;
  Instant now_{};
  std::unordered_map<uint32_t, Temperature> domains_;
  size_t forget_at_ = 1024;  // so many domains: time to drop those that are cold
};

}  // namespace aduana
