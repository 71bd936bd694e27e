#include "serve/access/attempt_limit.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

using std::chrono::seconds;

class AttemptLimitTest : public testing::Test {
 protected:
  void wrong(const std::string& address, int times) {
    for (int i = 0; i < times; ++i) limit.was_wrong(address);
  }
  ManualClock clock;
  AttemptLimit limit{clock, {.attempts = 3, .window = seconds(60), .limit = 4}};
};

TEST_F(AttemptLimitTest, OneAddressWaitsUntilItsWindowIsOver) {
  wrong("10.0.0.1", 1);
  clock.advance(seconds(20));
  wrong("10.0.0.1", 1);
  EXPECT_EQ(limit.wait("10.0.0.1"), seconds(0));
  wrong("10.0.0.1", 1);
  EXPECT_EQ(limit.wait("10.0.0.1"), seconds(40));
  EXPECT_EQ(limit.wait("10.0.0.2"), seconds(0));
  clock.advance(seconds(39));
  EXPECT_EQ(limit.wait("10.0.0.1"), seconds(1));
  clock.advance(seconds(1));
  EXPECT_EQ(limit.wait("10.0.0.1"), seconds(0));
  wrong("10.0.0.1", 2);
  EXPECT_EQ(limit.wait("10.0.0.1"), seconds(0)) << "counted from nothing again";
}

TEST_F(AttemptLimitTest, AddressesOfOneClientCountAsOne) {
  wrong("2001:db8:1:2::1", 2);
  wrong("2001:db8:1:2:ffff::9", 1);
  EXPECT_NE(limit.wait("2001:0db8:1:2::77"), seconds(0));
  EXPECT_EQ(limit.wait("2001:db8:1:3::1"), seconds(0));
  wrong("10.0.0.1", 2);
  wrong("::ffff:10.0.0.1", 1);
  EXPECT_NE(limit.wait("10.0.0.1"), seconds(0));
  EXPECT_EQ(limit.wait("::ffff:10.0.0.2"), seconds(0));
  wrong("fe80::1%eth0", 3);
  EXPECT_NE(limit.wait("fe80::1%eth1"), seconds(0));
}

TEST_F(AttemptLimitTest, ManyAddressesDoNotFillTheMemory) {
  wrong("10.0.0.1", 3);
  for (int i = 2; i < 5; ++i) wrong("10.0.0." + std::to_string(i), 1);
  EXPECT_NE(limit.wait("10.0.0.1"), seconds(0));
  wrong("10.0.0.5", 1);
  EXPECT_EQ(limit.wait("10.0.0.1"), seconds(0)) << "the oldest of five, and there is room for four";
}

}  // namespace
}  // namespace aduana
