// How long answers took: every sample is kept, so percentiles are exact. Not thread-safe.
#pragma once

#include <cstddef>
#include <vector>

namespace aduana::bench {

class Latencies {
 public:
  void add(double seconds) { seconds_.push_back(static_cast<float>(seconds)); }
  void add(const Latencies& others);

  size_t count() const { return seconds_.size(); }
  // In milliseconds; the smallest sample that at least the share of all are no larger than; 0 without samples.
  double percentile_ms(double share) const;
  double worst_ms() const { return percentile_ms(1); }

 private:
  std::vector<float> seconds_;
};

}  // namespace aduana::bench
