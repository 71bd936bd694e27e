#include "graph/rank/hits_links.h"

#include <utility>

#include "graph/edges/read_links.h"

namespace aduana {

Result<double> HitsOnLinks::from_sources(std::span<const float> values, std::span<float> sums) {
  ADUANA_TRY(for_each_link(links_, sums.size(), [&](Node from, Node to) { gathered_[to] += values[from]; }));
  return take(sums);
}

Result<double> HitsOnLinks::from_targets(std::span<const float> values, std::span<float> sums) {
  ADUANA_TRY(for_each_link(links_, sums.size(), [&](Node from, Node to) { gathered_[from] += values[to]; }));
  return take(sums);
}

double HitsOnLinks::take(std::span<float> sums) {
  double squares = 0;
  for (Node page = 0; page < sums.size(); ++page) {
    const double sum = std::exchange(gathered_[page], 0);
    squares += sum * sum;
    sums[page] = static_cast<float>(sum);
  }
  return squares;
}

}  // namespace aduana
