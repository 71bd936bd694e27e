// What a computation of scores begins with.
#pragma once

#include <span>

namespace aduana {

// Warm: the last values, with the mean of the others for pages that have none, which are new. So too for values that no
// computation leaves but a damaged file may. Cold, or when no page has a value: `cold_value` for all.
void make_start(std::span<float> values, bool warm, double cold_value);

}  // namespace aduana
