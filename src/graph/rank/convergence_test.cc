#include "graph/rank/convergence.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace aduana {
namespace {

TEST(LoopControl, EndsAtThePrecision) {
  const LoopOptions options{.precision = 0.1};
  LoopControl control(options);
  EXPECT_TRUE(control.another(0.5));
  EXPECT_TRUE(control.another(0.2));
  EXPECT_FALSE(control.another(0.1));
  EXPECT_EQ(control.convergence().loops, 3u);
  EXPECT_EQ(control.convergence().change, 0.1);
  EXPECT_TRUE(control.convergence().reached);
}

TEST(LoopControl, EndsAtTheLimit) {
  const LoopOptions options{.max_loops = 2};
  LoopControl control(options);
  EXPECT_TRUE(control.another(0.5));
  EXPECT_FALSE(control.another(0.4));
  EXPECT_FALSE(control.convergence().reached);
}

TEST(LoopControl, WithoutALimitEndsWhenChangesNoLongerShrink) {
  const LoopOptions options{.precision = 0, .max_loops = 0};
  LoopControl control(options);
  double change = 1;
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(control.another(change *= 0.99));
  int loops = 1;
  while (control.another(loops % 2 ? change : 2 * change)) ASSERT_LT(++loops, 1000);
  EXPECT_FALSE(control.convergence().reached);
}

TEST(LoopControl, TellsProgressAndStopsWhenTold) {
  std::vector<std::pair<uint64_t, double>> told;
  const LoopOptions options{.progress = [&](uint64_t loop, double change) {
    told.emplace_back(loop, change);
    return loop < 2;
  }};
  LoopControl control(options);
  EXPECT_TRUE(control.another(0.5));
  EXPECT_FALSE(control.another(0.25));
  EXPECT_FALSE(control.convergence().reached);
  EXPECT_EQ(told, (std::vector<std::pair<uint64_t, double>>{{1, 0.5}, {2, 0.25}}));
}

TEST(LoopOptions, AreChecked) {
  EXPECT_TRUE(LoopOptions{}.check());
  EXPECT_TRUE(LoopOptions{.precision = 0}.check());
  EXPECT_FALSE(LoopOptions{.precision = -1}.check());
  EXPECT_FALSE(LoopOptions{.precision = std::numeric_limits<double>::quiet_NaN()}.check());
}

}  // namespace
}  // namespace aduana
