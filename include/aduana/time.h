// Instant: a point in time with millisecond steps since 1970, and the Clock that tells it.
//
// Time never is a bare double inside Aduana (the original kept it in a 32-bit float: steps of 128 s). Whoever needs the
// time asks a Clock, so that a test can set it. Clocks are thread-safe.
#pragma once

#include <atomic>
#include <chrono>

namespace aduana {

using Millis = std::chrono::milliseconds;
using Instant = std::chrono::sys_time<Millis>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  // Time that has passed since some moment; never goes back, whatever happens to now().
  virtual Millis elapsed() const = 0;
};

class SystemClock final : public Clock {
 public:
  Instant now() const override { return std::chrono::floor<Millis>(std::chrono::system_clock::now()); }
  Millis elapsed() const override {
    return std::chrono::floor<Millis>(std::chrono::steady_clock::now().time_since_epoch());
  }
};

// Stands still until told otherwise, and may be told to go back.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Instant start = Instant{}) : now_(start.time_since_epoch().count()) {}

  Instant now() const override { return Instant{Millis{now_.load()}}; }
  Millis elapsed() const override { return Millis{elapsed_.load()}; }
  // The hands are moved; no time has passed.
  void set(Instant to) { now_ = to.time_since_epoch().count(); }
  void advance(Millis by) {
    now_ += by.count();
    elapsed_ += by.count();
  }

 private:
  std::atomic<Millis::rep> now_;
  std::atomic<Millis::rep> elapsed_ = 0;
};

}  // namespace aduana
