#include "graph/rank/start_values.h"

#include <cstddef>

namespace aduana {

void make_start(std::span<float> values, bool warm, double cold_value) {
  const auto usable = [warm](float value) { return warm && value > 0 && value <= 1; };  // not so for NaN
  double total = 0;
  size_t n = 0;
  for (const float value : values) {
    if (!usable(value)) continue;
    total += value;
    ++n;
  }
  const auto missing = static_cast<float>(n > 0 ? total / static_cast<double>(n) : cold_value);
  for (float& value : values) {
    if (!usable(value)) value = missing;
  }
}

}  // namespace aduana
