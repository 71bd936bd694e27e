// How times and durations are written in answers, and examples of parameters in errors.
#pragma once

#include <string_view>

#include "aduana/time.h"

namespace aduana {

inline double seconds_of(Millis duration) { return static_cast<double>(duration.count()) / 1000; }
inline double seconds_of(Instant time) { return seconds_of(time.time_since_epoch()); }

inline constexpr std::string_view kExampleUrl = "http%3A%2F%2Fexample.com%2F", kExampleKey = "example.com";

}  // namespace aduana
