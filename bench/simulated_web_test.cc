#include "simulated_web.h"

#include <gtest/gtest.h>

#include <numeric>

#include "aduana/recrawl_policies.h"
#include "base/must.h"
#include "schedule/freshness.h"

namespace aduana::bench {
namespace {

TEST(SimulatedWeb, FixedPeriodIsAsFreshAsTheFormulaSays) {
  const std::vector<double> rates = gamma_rates(2000, 0.5, 7);
  const SimulatedRun run = SimulatedWeb(rates, 1).crawl(*must(FixedPeriod::make(kSimulatedUnit / 2)), 22, 2);
  EXPECT_NEAR(run.visits, 2, 1e-9);
  EXPECT_NEAR(run.freshness, mean_freshness(rates, std::vector<double>(rates.size(), 2.0)), 0.005);
}

TEST(SimulatedWeb, PagesThatArePlannedNoMoreGoStale) {
  const SimulatedWeb web(std::vector<double>(100, 1.0), 1);
  const SimulatedRun run = web.crawl(*must(ChangeProportional::make({.max_n_crawls = 1})), 30, 20);
  EXPECT_EQ(run.visits, 0);
  EXPECT_EQ(run.freshness, 0);
}

TEST(GammaRates, HaveMeanOneAndTheVarianceOfTheShape) {
  for (const double shape : {1.0, 0.5, 0.1}) {
    const std::vector<double> rates = gamma_rates(100'000, shape, 3);
    const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / 100'000;
    double variance = 0;
    for (const double rate : rates) variance += (rate - mean) * (rate - mean) / 100'000;
    EXPECT_NEAR(mean, 1, 0.03) << shape;
    EXPECT_NEAR(variance * shape, 1, 0.1) << shape;
  }
}

}  // namespace
}  // namespace aduana::bench
