#include <gtest/gtest.h>

#include <cmath>

#include "aduana/recrawl_policies.h"
#include "base/must.h"
#include "schedule/freshness.h"
#include "schedule/simulated_visits.h"

namespace aduana {
namespace {

std::shared_ptr<OptimalFreshness> policy_for(double visits_a_day, OptimalFreshnessOptions options = {}) {
  options.budget = visits_a_day / kDaySeconds;
  return must(OptimalFreshness::make(options));
}

std::vector<double> repeated(const std::vector<double>& values, size_t times) {
  std::vector<double> all;
  for (size_t i = 0; i < times; ++i) all.insert(all.end(), values.begin(), values.end());
  return all;
}

// ---- what it is for

TEST(OptimalFreshness, ComesNearTheOptimumOfKnownRates) {
  const std::vector<double> rates = repeated({1, 2, 3, 4, 5}, 100);
  const auto policy = policy_for(500);
  SimulatedVisits crawl(rates);
  crawl.run(*policy, 100);
  crawl.count_from_here();
  crawl.run(*policy, 300);
  double fresh = 0;
  double by_class[5] = {};
  for (size_t i = 0; i < rates.size(); ++i) {
    fresh += crawl.fresh_days(i);
    by_class[i % 5] += crawl.visits(i) / 100 / 200;
  }
  EXPECT_GT(fresh / 500 / 200, 0.975 * 0.3739);
  EXPECT_NEAR(crawl.all_visits() / 500 / 200, 1, 0.01);
  const auto best = optimal_visit_rates(rates, 500);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(by_class[i], best[i], 0.3 * best[i]) << i;
  EXPECT_LT(by_class[4], 0.85) << "not worth its visits";
}

TEST(OptimalFreshness, ScoresAreWeights) {
  // Of two pages with the same change rate, one counts four times as much.
  const std::vector<double> rates = repeated({1, 1}, 200);
  const std::vector<double> scores = repeated({2e-6, 8e-6}, 200);
  const auto best = optimal_visit_rates(rates, 400, scores);
  auto visits = [&](bool weight_by_score) {
    const auto policy = policy_for(400, {.weight_by_score = weight_by_score});
    SimulatedVisits crawl(rates, scores);
    crawl.run(*policy, 50);
    crawl.count_from_here();
    crawl.run(*policy, 100);
    double even = 0, odd = 0;
    for (size_t i = 0; i < rates.size(); i += 2) even += crawl.visits(i), odd += crawl.visits(i + 1);
    return std::pair(even / 200 / 50, odd / 200 / 50);
  };
  const auto [low, high] = visits(true);
  EXPECT_NEAR(low, best[0], 0.1);
  EXPECT_NEAR(high, best[1], 0.1);
  const auto [one, other] = visits(false);
  EXPECT_NEAR(one, other, 0.05);
}

TEST(OptimalFreshness, ScoresAreRelativeToTheirMean) {
  const std::vector<double> rates = repeated({0.3, 1, 2, 1}, 10);
  auto plans = [&](double unit) {
    const auto policy = policy_for(40);
    SimulatedVisits crawl(rates, repeated({unit, 2 * unit, 5 * unit, 7 * unit}, 10));
    crawl.run(*policy, 10);
    return crawl.plans();
  };
  EXPECT_EQ(plans(1), plans(0x1p-30));
}

TEST(OptimalFreshness, PagesWithoutAnyScoreCountAlike) {
  const auto policy = policy_for(10);
  SimulatedVisits crawl(repeated({1}, 10), repeated({0}, 10));
  crawl.run(*policy, 20);
  crawl.count_from_here();
  crawl.run(*policy, 120);
  EXPECT_NEAR(crawl.all_visits() / 10 / 100, 1, 0.05);
}

TEST(OptimalFreshness, ScoresThatAreNoNumbersHaveNoWeight) {
  const auto policy = policy_for(10);
  SimulatedVisits crawl(repeated({1, 1}, 10), repeated({1, NAN}, 10));
  crawl.run(*policy, 30);
  EXPECT_TRUE(std::isfinite(policy->planned_rate()));
  EXPECT_GT(crawl.history(0).n_crawls, 2 * crawl.history(1).n_crawls);
}

// ---- the budget

TEST(OptimalFreshness, BudgetIsMetWhateverTheRates) {
  for (const double rate : {1e-6, 0.1, 1.0, 10.0}) {
    for (const double budget : {20.0, 100.0, 500.0}) {
      const auto policy = policy_for(budget);
      SimulatedVisits crawl(repeated({rate, rate / 3}, 50));
      const double unit = 100 / budget;
      crawl.run(*policy, 50 * unit);
      crawl.count_from_here();
      crawl.run(*policy, 80 * unit);
      EXPECT_NEAR(crawl.all_visits() / (30 * unit) / budget, 1, 0.1) << rate << " a day, " << budget;
    }
  }
}

TEST(OptimalFreshness, PriorThatIsWideOfTheMarkIsOvercome) {
  for (const double prior : {1e-318, 1e-20, 0.01, 100.0}) {
    const auto policy = policy_for(100, {.prior_change_rate = prior / kDaySeconds});
    SimulatedVisits crawl(repeated({1}, 100));
    crawl.run(*policy, 30);
    crawl.count_from_here();
    crawl.run(*policy, 60);
    EXPECT_NEAR(crawl.all_visits() / 30 / 100, 1, 0.05) << prior;
  }
}

TEST(OptimalFreshness, BudgetIsMetWhileTheCrawlGrows) {
  const auto policy = policy_for(300);
  SimulatedVisits crawl(repeated({0.2, 1, 3}, 200), {}, 20 * kDay);
  for (const double day : {0.3, 1.0, 3.0, 10.0}) {
    crawl.run(*policy, day);
    crawl.count_from_here();
    crawl.run(*policy, 2 * day);
    EXPECT_NEAR(crawl.all_visits() / 300 / day, 1, 0.15) << "from day " << day;
  }
}

TEST(OptimalFreshness, BudgetIsNotExceededAtTheStartWhateverThePrior) {
  for (const double prior : {0.0, 0.01, 1.0, 100.0}) {
    const auto policy = policy_for(1000, {.prior_change_rate = prior / kDaySeconds});
    SimulatedVisits crawl(repeated({0.2, 1, 3, 1}, 250));
    crawl.count_from_here();
    crawl.run(*policy, 3);
    EXPECT_LT(crawl.all_visits() / 1000 / 3, 1.3) << prior;
  }
}

TEST(OptimalFreshness, PriceStaysInReachWhenTheBudgetCanNotBeMet) {
  const auto too_much = policy_for(1e6);
  SimulatedVisits(repeated({1}, 10)).run(*too_much, 1);
  EXPECT_GT(too_much->price(), 1e-12);
  const auto too_little = policy_for(10, {.max_interval = kDay / 2});
  SimulatedVisits(repeated({1}, 10)).run(*too_little, 100);
  EXPECT_LT(too_little->price(), 1e12);
}

TEST(OptimalFreshness, PlanIsTheSumOfVisitRates) {
  const auto policy = policy_for(300);
  SimulatedVisits crawl(repeated({0.2, 1, 3}, 100));
  crawl.run(*policy, 40);
  EXPECT_NEAR(policy->planned_rate() * kDaySeconds / crawl.planned(), 1, 0.02);
}

TEST(OptimalFreshness, LateVisitsDoNotRaiseThePriceForGood) {
  const auto policy = policy_for(300);
  SimulatedVisits crawl(repeated({0.2, 1, 3}, 100));
  crawl.set_late(kDay / 3);
  crawl.run(*policy, 40);
  crawl.count_from_here();
  crawl.run(*policy, 80);
  EXPECT_GT(crawl.all_visits() / 300 / 40, 0.8);
  EXPECT_NEAR(policy->planned_rate() * kDaySeconds / 300, 1, 0.05);
}

TEST(OptimalFreshness, PagesThatComeNoMoreAreForgotten) {
  const auto policy = policy_for(300);
  SimulatedVisits crawl(repeated({1}, 300));
  crawl.run(*policy, 20);
  crawl.lose(150);
  crawl.run(*policy, 80);
  crawl.count_from_here();
  crawl.run(*policy, 100);
  EXPECT_NEAR(crawl.all_visits() / 20 / 300, 1, 0.03) << "the others get their visits";
}

TEST(OptimalFreshness, BreakOfTheWholeCrawlIsSurvived) {
  for (const double length : {5.0, 300.0, 5000.0}) {
    const auto policy = policy_for(300);
    SimulatedVisits crawl(repeated({0.2, 1, 3}, 100));
    crawl.run(*policy, 30);
    crawl.pause(30 + length);
    crawl.count_from_here();
    crawl.run(*policy, 32 + length);
    EXPECT_LT(crawl.all_visits() / 300, 1 + 2 * 1.3) << "all pages at once, then the budget; " << length;
    EXPECT_NEAR(policy->planned_rate() * kDaySeconds / crawl.planned(), 1, 0.2) << length;
    crawl.run(*policy, 35 + length);
    crawl.count_from_here();
    crawl.run(*policy, 45 + length);
    EXPECT_NEAR(crawl.all_visits() / 300 / 10, 1, 0.1) << length;
  }
}

TEST(OptimalFreshness, TakesOverFromAnotherPolicy) {
  SimulatedVisits crawl(repeated({0.2, 1, 3}, 100));
  crawl.run(*must(FixedPeriod::make(kDay)), 5);
  const auto policy = policy_for(300);
  crawl.run(*policy, 20);
  crawl.count_from_here();
  crawl.run(*policy, 40);
  EXPECT_NEAR(crawl.all_visits() / 300 / 20, 1, 0.05);
}

// ---- no page starves

TEST(OptimalFreshness, IntervalsKeepWithinTheirLimits) {
  const auto policy = policy_for(10, {.min_interval = kDay / 2, .max_interval = kDay * 3});
  SimulatedVisits crawl(repeated({0.001, 1, 50}, 10));
  crawl.run(*policy, 60);
  for (size_t i = 0; i < 30; ++i) {
    const CrawlHistory& page = crawl.history(i);
    EXPECT_GE(page.planned - page.last_crawl, kDay / 2);
    EXPECT_LE(page.planned - page.last_crawl, kDay * 3);
  }
}

TEST(OptimalFreshness, NoPageIsLeftAloneForLongerThanItWasWatched) {
  // A price at which hardly anything is worth a visit, from pages that change all the time.
  const auto policy = policy_for(10);
  SimulatedVisits crawl(repeated({1000}, 100));
  crawl.run(*policy, 100);
  CrawlHistory page;
  page.score = 1;
  page.n_crawls = 3;
  page.n_changes = 2;
  page.last_crawl = kStart + 100 * kDay;
  page.first_crawl = page.last_crawl - 12 * kDay;
  page.previous_crawl = page.last_crawl - kDay;
  const Instant next = *policy->next_visit(page, page.last_crawl);
  EXPECT_LE(next - page.last_crawl, 12 * kDay + Millis(1));
}

TEST(OptimalFreshness, PageTakenForOneThatAlwaysChangesIsFoundOut) {
  // Changed at every one of its first visits, an hour apart; since then it has not.
  const auto policy = policy_for(101);
  SimulatedVisits crawl(repeated({1}, 100));
  crawl.run(*policy, 30);
  CrawlHistory page;
  page.score = 1;
  page.n_crawls = 6;
  page.n_changes = 5;
  Instant now = kStart + 30 * kDay;
  page.first_crawl = now - std::chrono::hours(5);
  page.previous_crawl = now - std::chrono::hours(1);
  page.last_crawl = now;
  int visits = 0;
  for (; now < kStart + 60 * kDay; ++visits) {
    now = page.planned = *policy->next_visit(page, now);
    page.previous_crawl = page.last_crawl;
    page.last_crawl = now;
    ++page.n_crawls;
  }
  EXPECT_GT(visits, 10);
}

// ---- state

TEST(OptimalFreshness, SavedStateGoesOnTheSame) {
  const auto one = policy_for(50);
  SimulatedVisits crawl(repeated({0.2, 1, 3}, 20));
  crawl.run(*one, 10);
  const auto other = policy_for(50);
  must(other->load(one->save()));
  EXPECT_EQ(one->save(), other->save());
  SimulatedVisits same = crawl;
  crawl.run(*one, 20);
  same.run(*other, 20);
  EXPECT_EQ(crawl.plans(), same.plans());
  EXPECT_GT(crawl.plans().size(), 500u);
}

TEST(OptimalFreshness, NoStateStartsAnew) {
  const auto policy = policy_for(50);
  const std::string fresh = policy->save();
  must(policy->load(fresh));
  SimulatedVisits(repeated({1}, 50)).run(*policy, 3);
  EXPECT_NE(policy->save(), fresh);
  must(policy->load(""));
  EXPECT_EQ(policy->save(), fresh);
}

TEST(OptimalFreshness, DamagedStateIsRefused) {
  const auto policy = policy_for(50);
  SimulatedVisits(repeated({1}, 50)).run(*policy, 3);
  const std::string state = policy->save();
  EXPECT_EQ(policy->load("\x02" + state.substr(1)).error().code(), Code::unsupported);
  for (size_t size = 1; size < state.size(); ++size) {
    EXPECT_EQ(policy->load(state.substr(0, size)).error().code(), Code::corrupt) << size;
  }
  EXPECT_FALSE(policy->load(state + '\0'));
  EXPECT_FALSE(policy->load(std::string(1, '\x01') + std::string(32, '\xff') + '\0')) << "not numbers";
  EXPECT_EQ(policy->save(), state) << "nothing was taken from them";
}

TEST(OptimalFreshness, WorksAtTheEpochAndWhenTheClockGoesBack) {
  const auto policy = policy_for(50);
  CrawlHistory page;
  page.score = 1;
  page.n_crawls = 1;
  Instant now{};
  for (int i = 0; i < 100; ++i) {
    now = *policy->next_visit(page, i % 10 == 9 ? now - std::chrono::hours(3) : now);
    page.previous_crawl = page.last_crawl;
    page.last_crawl = page.planned = now;
    ++page.n_crawls;
  }
  EXPECT_GT(now, Instant{} + kDay / 50);
  EXPECT_TRUE(std::isfinite(policy->price()));
}

TEST(OptimalFreshness, OptionsAreChecked) {
  for (const double bad : {0.0, -1.0, 1e-10, 1e10, double(NAN), double(INFINITY)}) {
    EXPECT_FALSE(OptimalFreshness::make({.budget = bad})) << bad;
  }
  for (const double bad : {-1.0, double(NAN), double(INFINITY)}) {
    EXPECT_FALSE(OptimalFreshness::make({.prior_change_rate = bad})) << bad;
  }
  EXPECT_FALSE(OptimalFreshness::make({.min_interval = Millis(0)}));
  EXPECT_FALSE(OptimalFreshness::make({.min_interval = kDay, .max_interval = kDay / 2}));
  EXPECT_EQ(OptimalFreshness::make({.budget = -2}).error().message(),
            "recrawl: a budget of -2 visits a second; it must be from 1e-09 to 1000000000");
}

}  // namespace
}  // namespace aduana
