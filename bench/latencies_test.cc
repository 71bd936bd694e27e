// Percentiles by hand: the sample that so many of all are no larger than.
#include "latencies.h"

#include <gtest/gtest.h>

namespace aduana::bench {
namespace {

TEST(Latencies, PercentilesAreSamples) {
  Latencies l;
  for (int i = 100; i >= 1; --i) l.add(i * 1e-3);
  EXPECT_EQ(l.count(), 100u);
  EXPECT_FLOAT_EQ(l.percentile_ms(0.5), 50);
  EXPECT_FLOAT_EQ(l.percentile_ms(0.99), 99);
  EXPECT_FLOAT_EQ(l.percentile_ms(0.991), 100);
  EXPECT_FLOAT_EQ(l.percentile_ms(0), 1);
  EXPECT_FLOAT_EQ(l.worst_ms(), 100);
}

TEST(Latencies, OneSampleAndNone) {
  Latencies l;
  EXPECT_EQ(l.worst_ms(), 0);
  EXPECT_EQ(l.percentile_ms(0.5), 0);
  l.add(0.25);
  EXPECT_FLOAT_EQ(l.percentile_ms(0.5), 250);
  EXPECT_FLOAT_EQ(l.worst_ms(), 250);
}

TEST(Latencies, OfSomeLoadsTogether) {
  Latencies a, b;
  a.add(0.001);
  b.add(0.003);
  b.add(0.002);
  a.add(b);
  EXPECT_EQ(a.count(), 3u);
  EXPECT_FLOAT_EQ(a.percentile_ms(0.5), 2);
  EXPECT_FLOAT_EQ(a.worst_ms(), 3);
}

}  // namespace
}  // namespace aduana::bench
