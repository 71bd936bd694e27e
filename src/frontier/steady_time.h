// The frontier's time: that of the clock, but it never goes back. When the clock is set back, time goes on from where
// it was at the pace at which it really passes, until the clock has caught up. So delays and leases last as long as
// they should, whatever happens to the clock. Thread-safe.
#pragma once

#include <algorithm>
#include <mutex>

#include "aduana/time.h"

namespace aduana {

class SteadyTime {
 public:
  explicit SteadyTime(const Clock& clock) : clock_(clock), now_(clock.now()), elapsed_(clock.elapsed()) {}

  Instant now() {
    std::lock_guard lock(mutex_);
    const Millis elapsed = clock_.elapsed();
    now_ = std::max(now_ + (elapsed - elapsed_), clock_.now());
    elapsed_ = elapsed;
    return now_;
  }
  // Nothing happens before `t`.
  void begin_at(Instant t) {
    std::lock_guard lock(mutex_);
    now_ = std::max(now_, t);
  }

 private:
  const Clock& clock_;
  std::mutex mutex_;
  Instant now_;
  Millis elapsed_;
};

}  // namespace aduana
