// The policies without a memory, and the estimate of change rates that they share.
#include <gtest/gtest.h>

#include <cmath>

#include "aduana/recrawl_policies.h"
#include "base/must.h"
#include "base/time_bytes.h"
#include "schedule/change_rate.h"

namespace aduana {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr Instant kNow{hours(24 * 20'000)};

// Crawled so many times, every `interval`, the last time now.
CrawlHistory crawled(uint32_t crawls, uint32_t changes, Millis interval, std::string_view url = "http://a.com/") {
  CrawlHistory page;
  page.url = url;
  page.n_crawls = crawls;
  page.n_changes = changes;
  page.last_crawl = kNow;
  page.first_crawl = kNow - (crawls - 1) * interval;
  if (crawls > 1) page.previous_crawl = kNow - interval;
  return page;
}

double wait_seconds(Recrawl& policy, const CrawlHistory& page) {
  const auto next = policy.next_visit(page, kNow);
  return next ? std::chrono::duration<double>(*next - kNow).count() : -1;
}

template <class T>
std::string message_of(const Result<T>& result) {
  return result ? "no error" : result.error().message();
}

// ---- change rate

TEST(ChangeRate, IsNearlyUnbiased) {
  // Five visits after the first at intervals of 10 s, two changes: −ln(3.5 / 5.5) / 10.
  EXPECT_NEAR(change_rate(*changes_of(crawled(6, 2, seconds(10)))), 0.0451985123743, 1e-12);
  EXPECT_NEAR(change_rate(*changes_of(crawled(2, 1, seconds(2)))), std::log(3) / 2, 1e-12);
}

TEST(ChangeRate, IsNeverZero) {
  EXPECT_NEAR(change_rate(*changes_of(crawled(11, 0, seconds(10)))), 0.5 / 100, 1e-12);
  EXPECT_GT(change_rate(*changes_of(crawled(11, 0, seconds(10))), 1, 0.25), 0);
}

TEST(ChangeRate, IsFiniteWhateverTheCounts) {
  EXPECT_TRUE(std::isfinite(change_rate(*changes_of(crawled(2, ~0u, Millis(1))))));
  EXPECT_TRUE(std::isfinite(change_rate(*changes_of(crawled(2, ~0u, Millis(1))), 1, 0.25)));
}

TEST(ChangeRate, IsUnknownBeforeASecondVisit) {
  EXPECT_FALSE(changes_of(crawled(1, 0, seconds(1))));
  EXPECT_FALSE(changes_of(crawled(2, 1, seconds(0)))) << "no time between them";
  EXPECT_FALSE(changes_of(crawled(2, 1, seconds(-5)))) << "the clock went back";
}

TEST(ChangeRate, PriorCountsLessWithEveryVisit) {
  const double prior = 10;
  double before = prior;
  for (const uint32_t visits : {2, 10, 100, 1000}) {
    const double rate = change_rate(*changes_of(crawled(visits + 1, visits / 2, seconds(1))), prior, 0.25);
    EXPECT_LT(rate, before);
    before = rate;
  }
  EXPECT_NEAR(before, std::log(2), 0.002);
}

// ---- fixed period

TEST(FixedPeriod, IsAPeriodAfterTheCrawl) {
  const auto policy = must(FixedPeriod::make(hours(5)));
  EXPECT_EQ(policy->next_visit(crawled(1, 0, seconds(1)), kNow), kNow + hours(5));
  CrawlHistory earlier = crawled(3, 1, seconds(1));
  earlier.last_crawl = kNow - hours(1);
  EXPECT_EQ(policy->next_visit(earlier, kNow), kNow + hours(4)) << "it was crawled some time ago";
}

TEST(FixedPeriod, NeverPlansForThePastNorByAClockThatIsAhead) {
  const auto policy = must(FixedPeriod::make(hours(5)));
  CrawlHistory page = crawled(3, 1, seconds(1));
  page.last_crawl = kNow - hours(50);
  EXPECT_EQ(policy->next_visit(page, kNow), kNow);
  page.last_crawl = kNow + hours(10'000);
  EXPECT_EQ(policy->next_visit(page, kNow), kNow + hours(5));
}

TEST(FixedPeriod, MayBeLongerThanTimeLasts) {
  const auto policy = must(FixedPeriod::make(Millis::max()));
  EXPECT_EQ(policy->next_visit(crawled(1, 0, seconds(1)), kNow), kLastInstant);
}

TEST(FixedPeriod, MustBeAboveZero) {
  EXPECT_EQ(FixedPeriod::make(Millis(0)).error().code(), Code::invalid);
  EXPECT_EQ(message_of(FixedPeriod::make(Millis(-7))), "recrawl: a period of -7 ms; it must be above 0");
}

TEST(FixedPeriod, HasNoState) {
  const auto policy = must(FixedPeriod::make(hours(5)));
  EXPECT_EQ(policy->save(), "");
  EXPECT_TRUE(policy->load(""));
}

// ---- pattern table

TEST(PatternTable, FirstMatchCounts) {
  const auto policy =
      must(PatternTable::parse("/news/ 60\n"
                               "a\\.com 3600\n"
                               ".* 0.5\n"));
  EXPECT_TRUE(policy->needs_url());
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1), "http://a.com/news/1")), 60);
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1), "http://a.com/")), 3600);
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1), "http://b.org/")), 0.5);
}

TEST(PatternTable, ExpressionsAreFoundAnywhereUnlessAnchored) {
  const auto policy = must(PatternTable::parse("^http://a\\.com/$ 60"));
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1), "http://a.com/")), 60);
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1), "http://a.com/b")), -1);
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1), "http://b.com/?http://a.com/")), -1);
}

TEST(PatternTable, APageIsDoneAfterItsLastCrawl) {
  const auto policy = must(PatternTable::parse("a\\.com 60", {.max_n_crawls = 3}));
  EXPECT_EQ(wait_seconds(*policy, crawled(2, 0, seconds(1))), 60);
  EXPECT_EQ(wait_seconds(*policy, crawled(3, 0, seconds(1))), -1);
}

TEST(PatternTable, MultipleIsOfTheChangeRate) {
  const auto policy = must(PatternTable::parse("a\\.com x2"));
  const CrawlHistory page = crawled(6, 2, seconds(1000));
  EXPECT_NEAR(wait_seconds(*policy, page), 1 / (2 * change_rate(*changes_of(page))), 0.001);
}

TEST(PatternTable, MultipleOfAPageVisitedOnceIsOfTheAssumedRate) {
  const auto policy = must(PatternTable::parse("a\\.com x4", {.otherwise = {}, .assumed_change_rate = 0.001}));
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1))), 250);
}

TEST(PatternTable, PagesThatNothingMatchesHaveTheirOwnPeriodOrAreDone) {
  EXPECT_EQ(wait_seconds(*must(PatternTable::parse("b\\.com 5")), crawled(1, 0, seconds(1))), -1);
  EXPECT_EQ(wait_seconds(*must(PatternTable::parse("")), crawled(1, 0, seconds(1))), -1);
  const auto policy = must(PatternTable::parse("b\\.com 5", {.otherwise = seconds(77)}));
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1))), 77);
}

TEST(PatternTable, TakesCommentsBlanksAndLineEndsOfAllKinds) {
  const auto policy = must(PatternTable::parse("\n  # a comment: x7\n\t\r\n  a b#c \t 9\r\na\\.com\t1e2"));
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1), "http://x/a b#c")), 9);
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1))), 100);
}

TEST(PatternTable, ErrorsNameTheLine) {
  EXPECT_EQ(message_of(PatternTable::parse("a 1\n# x\nlonely\n")),
            "recrawl patterns, line 3: \"lonely\": expected REGEX SECONDS or REGEX xMULT");
  EXPECT_EQ(message_of(PatternTable::parse("a 1\n\na( 5")),
            "recrawl patterns, line 3: a(: not a regular expression: missing ): a(");
  for (const char* number : {"0", "-1", "x", "x0", "x-2", "y5", "5s", "nan", "inf", "xinf", "1e999", "xx2", "0x10"}) {
    const auto table = PatternTable::parse("a " + std::string(number));
    ASSERT_FALSE(table) << number;
    EXPECT_EQ(table.error().code(), Code::invalid);
    EXPECT_NE(table.error().message().find("line 1"), std::string::npos) << table.error().message();
  }
}

TEST(PatternTable, OptionsAreChecked) {
  EXPECT_FALSE(PatternTable::parse("", {.otherwise = Millis(0)}));
  for (const double rate : {0.0, -1.0, double(NAN), double(INFINITY)}) {
    EXPECT_FALSE(PatternTable::parse("", {.otherwise = {}, .assumed_change_rate = rate})) << rate;
  }
}

// ---- proportional to changes

TEST(ChangeProportional, VisitsScaleTimesAsOftenAsAPageChanges) {
  const auto policy = must(ChangeProportional::make({.scale = 3}));
  const CrawlHistory page = crawled(6, 2, seconds(1000));
  EXPECT_NEAR(wait_seconds(*policy, page), 1 / (3 * change_rate(*changes_of(page))), 0.001);
}

TEST(ChangeProportional, DefaultFrequencyUntilTheRateIsKnown) {
  EXPECT_EQ(wait_seconds(*must(ChangeProportional::make()), crawled(1, 0, seconds(1))), 10);
  const auto policy = must(ChangeProportional::make({.default_frequency = 0.01}));
  EXPECT_EQ(wait_seconds(*policy, crawled(1, 0, seconds(1))), 100);
}

TEST(ChangeProportional, WithoutAScaleAllPagesHaveTheDefaultFrequency) {
  for (const double scale : {0.0, -1.0}) {
    const auto policy = must(ChangeProportional::make({.scale = scale}));
    EXPECT_EQ(wait_seconds(*policy, crawled(6, 2, seconds(1000))), 10) << scale;
  }
}

TEST(ChangeProportional, MarginLetsAPageComeEarly) {
  EXPECT_EQ(wait_seconds(*must(ChangeProportional::make({.margin = 0.25})), crawled(1, 0, seconds(1))), 8);
  EXPECT_EQ(wait_seconds(*must(ChangeProportional::make({.margin = -1})), crawled(1, 0, seconds(1))), 10);
}

TEST(ChangeProportional, APageIsDoneAfterItsLastCrawl) {
  const auto policy = must(ChangeProportional::make({.max_n_crawls = 3}));
  EXPECT_GT(wait_seconds(*policy, crawled(2, 1, seconds(1))), 0);
  EXPECT_EQ(wait_seconds(*policy, crawled(3, 1, seconds(1))), -1);
  EXPECT_EQ(wait_seconds(*policy, crawled(4, 1, seconds(1))), -1);
}

TEST(ChangeProportional, OptionsAreChecked) {
  for (const double bad : {0.0, -0.1, double(NAN), double(INFINITY)}) {
    EXPECT_FALSE(ChangeProportional::make({.default_frequency = bad})) << bad;
  }
  EXPECT_FALSE(ChangeProportional::make({.scale = NAN}));
  EXPECT_FALSE(ChangeProportional::make({.margin = NAN}));
}

}  // namespace
}  // namespace aduana
