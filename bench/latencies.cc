#include "latencies.h"

#include <algorithm>
#include <cmath>

namespace aduana::bench {

void Latencies::add(const Latencies& others) {
  seconds_.insert(seconds_.end(), others.seconds_.begin(), others.seconds_.end());
}

double Latencies::percentile_ms(double share) const {
  if (seconds_.empty()) return 0;
  const double rank = std::ceil(share * static_cast<double>(seconds_.size()));
  const size_t at = std::clamp<size_t>(static_cast<size_t>(rank), 1, seconds_.size()) - 1;
  std::vector<float> some = seconds_;
  std::nth_element(some.begin(), some.begin() + static_cast<ptrdiff_t>(at), some.end());
  return some[at] * 1e3;
}

}  // namespace aduana::bench
