// No client may ask more than so often: a bucket of tokens for each address, refilled at the rate that is allowed and
// as large as what comes in two seconds of it. Addresses that were quiet are forgotten. Thread-safe.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "aduana/time.h"

namespace aduana {

class ClientRates {
 public:
  // `rate`: requests a second; 0: no limit.
  ClientRates(double rate, const Clock& clock) : rate_(rate), clock_(clock) {}

  // 0 if the client may ask now; else how long it has to wait.
  Millis take(std::string_view client);
  // That are remembered.
  size_t clients() const;

 private:
  static constexpr double kBurstSeconds = 2;
  static constexpr size_t kFewClients = 1000;  // not worth to be tidied up

  struct Bucket {
    double tokens;
    Millis filled;  // when they were counted
  };
  double most() const { return std::max(1.0, kBurstSeconds * rate_); }
  double tokens_of(const Bucket& bucket, Millis now) const;
  void forget_the_quiet(Millis now);

  const double rate_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
  size_t tidy_at_ = kFewClients;
};

}  // namespace aduana
