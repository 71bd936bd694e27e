#include "schedule/freshness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "schedule/visit_worth.h"

namespace aduana {
namespace {

const std::vector<double> kOneToFive{1, 2, 3, 4, 5};

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(Freshness, IsTheMeanOverAnInterval) {
  EXPECT_NEAR(freshness(1, 1), 1 - std::exp(-1), 1e-15);
  EXPECT_NEAR(freshness(3, 2), (1 - std::exp(-1.5)) / 1.5, 1e-15);
  EXPECT_NEAR(freshness(1e-12, 1), 1, 1e-11);
  EXPECT_EQ(freshness(1, 0), 0) << "never visited again";
  EXPECT_EQ(freshness(0, 1), 1) << "never changes";
}

TEST(Freshness, OptimumOfFivePages) {
  const auto rates = optimal_visit_rates(kOneToFive, 5);
  const double expected[] = {1.15, 1.36, 1.35, 1.14, 0.00};
  for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(rates[i], expected[i], 0.005) << i;
  EXPECT_NEAR(total(rates), 5, 1e-6);
  EXPECT_NEAR(mean_freshness(kOneToFive, rates), 0.3739, 5e-5);
  EXPECT_NEAR(mean_freshness(kOneToFive, std::vector<double>(5, 1.0)), 0.3651, 5e-5) << "uniform";
  EXPECT_NEAR(mean_freshness(kOneToFive, std::vector<double>{1. / 3, 2. / 3, 1, 4. / 3, 5. / 3}), 0.3167, 5e-5)
      << "proportional";
}

TEST(Freshness, NoShiftOfVisitsIsBetterThanTheOptimum) {
  const std::vector<double> changes{0.1, 1, 2, 7};
  const std::vector<double> weights{1, 0.5, 3, 2};
  const auto best = optimal_visit_rates(changes, 4, weights);
  const double freshness = mean_freshness(changes, best, weights);
  for (size_t from = 0; from < best.size(); ++from) {
    for (size_t to = 0; to < best.size(); ++to) {
      auto other = best;
      const double moved = std::min(0.01, other[from]);
      other[from] -= moved;
      other[to] += moved;
      EXPECT_LE(mean_freshness(changes, other, weights), freshness + 1e-12) << from << " to " << to;
    }
  }
}

TEST(Freshness, WeightDrawsVisits) {
  const std::vector<double> changes{1, 1};
  const auto rates = optimal_visit_rates(changes, 2, std::vector<double>{1, 4});
  EXPECT_GT(rates[1], 1.5 * rates[0]);
  EXPECT_NEAR(total(rates), 2, 1e-6);
}

TEST(VisitWorth, IsFoundAgain) {
  for (const double x : {1e-30, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0}) {
    // Where the worth is near 1 its last digit stands for much of x.
    const double tolerance = x < 1 ? 1e-8 * x : std::max(1e-9, 1e-15 * std::exp(x) / x);
    EXPECT_NEAR(when_worth(visit_worth(x)), x, tolerance);
  }
  EXPECT_EQ(when_worth(0), 0);
}

TEST(VisitWorth, IsTheFormula) {
  for (const double x : {1e-4, 0.3, 1.0, 4.0}) EXPECT_NEAR(visit_worth(x), 1 - (1 + x) * std::exp(-x), 1e-15);
  EXPECT_NEAR(visit_worth(0.99999e-5) / visit_worth(1.00001e-5), 0.99996, 1e-8) << "no step between the two ways";
}

TEST(VisitWorth, IsNeverAsMuchAsOne) {
  EXPECT_TRUE(std::isinf(when_worth(1)));
  EXPECT_TRUE(std::isinf(when_worth(1e300)));
  EXPECT_TRUE(std::isinf(when_worth(INFINITY)));
  EXPECT_NEAR(when_worth(std::nextafter(1.0, 0.0)), 40.5, 0.5);
}

}  // namespace
}  // namespace aduana
