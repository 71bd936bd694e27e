// How times and durations are written in answers.
#pragma once

#include "aduana/time.h"

namespace aduana {

inline double seconds_of(Millis duration) { return static_cast<double>(duration.count()) / 1000; }
inline double seconds_of(Instant time) { return seconds_of(time.time_since_epoch()); }

}  // namespace aduana
