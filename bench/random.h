// The random numbers of the workloads: small, fast and the same on every machine, so that a seed names one workload.
//
// mix() is a bijection of 64-bit numbers (the finaliser of SplitMix64): a pure function for what must be derived from
// a number again and again. Random is the sequence made of it. Not thread-safe.
#pragma once

#include <cmath>
#include <cstdint>

namespace aduana::bench {

inline uint64_t mix(uint64_t v) {
  v += 0x9e3779b97f4a7c15u;
  v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
  v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
  return v ^ (v >> 31);
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(mix(seed)) {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    return mix(state_);
  }

  // Uniform in [0, n); n is below 2^48, so that the bias of the product is out of sight.
  uint64_t below(uint64_t n) { return static_cast<uint64_t>(unit() * static_cast<double>(n)); }

  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  bool chance(double p) { return unit() < p; }

  // A rank in [0, n) whose logarithm is uniform: ten times as deep is a tenth as often.
  uint64_t log_uniform(uint64_t n) {
    const auto rank = static_cast<uint64_t>(std::exp(unit() * std::log(static_cast<double>(n) + 1.0))) - 1;
    return rank < n ? rank : n - 1;
  }

 private:
  uint64_t state_;
};

}  // namespace aduana::bench
