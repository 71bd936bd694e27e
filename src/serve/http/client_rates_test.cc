#include "serve/http/client_rates.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

TEST(ClientRates, ABurstThenTheRate) {
  ManualClock clock;
  ClientRates rates(10, clock);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(rates.take("a"), Millis{0}) << i;
  EXPECT_EQ(rates.take("a"), Millis{100});
  EXPECT_EQ(rates.take("b"), Millis{0}) << "another client";
  clock.advance(Millis{100});
  EXPECT_EQ(rates.take("a"), Millis{0});
  EXPECT_GT(rates.take("a"), Millis{0});
  clock.advance(Millis{1'000'000});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(rates.take("a"), Millis{0}) << i;
  EXPECT_GT(rates.take("a"), Millis{0}) << "patience is not saved up";
}

TEST(ClientRates, LessThanOneASecond) {
  ManualClock clock;
  ClientRates rates(0.1, clock);
  EXPECT_EQ(rates.take("a"), Millis{0});
  EXPECT_EQ(rates.take("a"), Millis{10'000});
}

TEST(ClientRates, ZeroIsNoLimit) {
  ManualClock clock;
  ClientRates rates(0, clock);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(rates.take("a"), Millis{0});
  EXPECT_EQ(rates.clients(), 0u);
}

TEST(ClientRates, TheQuietAreForgotten) {
  ManualClock clock;
  ClientRates rates(10, clock);
  for (int i = 0; i < 100'000; ++i) {
    rates.take(std::to_string(i));
    clock.advance(Millis{1});
  }
  EXPECT_LT(rates.clients(), 5000u);
}

}  // namespace
}  // namespace aduana
