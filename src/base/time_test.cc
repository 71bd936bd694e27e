#include "aduana/time.h"

#include <gtest/gtest.h>

#include <chrono>

namespace aduana {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""h;

TEST(ManualClock, StandsStillUntilTold) {
  ManualClock clock(Instant{1000ms});
  EXPECT_EQ(clock.now(), Instant{1000ms});
  clock.advance(500ms);
  EXPECT_EQ(clock.now(), Instant{1500ms});
  clock.advance(-2000ms);
  EXPECT_EQ(clock.now(), Instant{-500ms});
  clock.set(Instant{});
  EXPECT_EQ(clock.now(), Instant{});
}

TEST(SystemClock, TellsTheTimeOfTheSystem) {
  const Instant before = std::chrono::floor<Millis>(std::chrono::system_clock::now());
  const Instant now = SystemClock().now();
  EXPECT_GE(now, before);
  EXPECT_LT(now - before, 1h);
}

// The original kept time in a 32-bit float, whose steps by now are 128 s.
TEST(Instant, KeepsMillisecondsApart) {
  const Instant now{std::chrono::milliseconds{1'700'000'000'001}};
  EXPECT_EQ(now - Instant{std::chrono::milliseconds{1'700'000'000'000}}, 1ms);
}

}  // namespace
}  // namespace aduana
