// How fresh the crawled pages are said to be.

#include "frontier/frontier_fixture.h"

namespace aduana {
namespace {

class FreshnessSampleTest : public FrontierTest {
 protected:
  static std::string url(int i) { return "http://h" + std::to_string(i % 7) + ".com/" + std::to_string(i); }
};

TEST_F(FreshnessSampleTest, NothingIsKnownOfNothing) {
  open();
  const auto empty = *frontier_->freshness();
  EXPECT_EQ(empty.pages, 0u);
  EXPECT_EQ(empty.sampled, 0u);
  EXPECT_FALSE(empty.fresh);
  report(url(0), {url(1)});
  const auto once = *frontier_->freshness();
  EXPECT_EQ(once.pages, 1u);
  EXPECT_EQ(once.sampled, 1u);
  EXPECT_EQ(once.known, 0u);
  EXPECT_FALSE(once.fresh) << "a page that was seen once";
}

TEST_F(FreshnessSampleTest, PagesThatChangeOftenGoStaleFirst) {
  open();
  for (int visit = 0; visit < 10; ++visit) {
    for (int i = 0; i < 100; ++i) report(url(i), {}, {}, i < 50 ? std::to_string(visit) : "same");
    clock_.advance(Millis{3'600'000});
  }
  const auto soon = *frontier_->freshness();
  EXPECT_EQ(soon.known, 100u);
  EXPECT_EQ(soon.median_age, Millis{3'600'000});
  ASSERT_TRUE(soon.fresh);
  clock_.advance(Millis{24 * 3'600'000});
  const auto late = *frontier_->freshness();
  ASSERT_TRUE(late.fresh);
  EXPECT_LT(*late.fresh, *soon.fresh);
  EXPECT_GT(*soon.fresh, 0.45) << "half of them never change";
  EXPECT_LT(*soon.fresh, 0.75) << "half of them change about hourly";
}

TEST_F(FreshnessSampleTest, SomeStandForAll) {
  class Hourly final : public Recrawl {
   public:
    std::optional<Instant> next_visit(const CrawlHistory&, Instant now) override { return now + Millis{3'600'000}; }
  };
  options_.recrawl = std::make_shared<Hourly>();
  open();
  for (int i = 0; i < 1000; ++i) {
    if (i == 900) clock_.advance(Millis{3'600'000});  // the others are due by now
    report(url(i));
  }
  ASSERT_EQ(frontier_->stats()->count(PageState::queued), 900u);
  for (const size_t sample : {100u, 333u, 5000u}) {
    const auto some = *frontier_->freshness(sample);
    EXPECT_EQ(some.pages, 1000u);
    EXPECT_EQ(some.sampled, std::min<size_t>(sample, 1000));
    EXPECT_NEAR(static_cast<double>(some.due), 900, 10) << sample;
    EXPECT_EQ(some.median_age, Millis{3'600'000});
  }
  EXPECT_EQ(frontier_->page({url(999)})->next_visit, clock_.now() + Millis{3'600'000});
  EXPECT_EQ(frontier_->page({url(0)})->next_visit, Instant{}) << "it waits in its queue";
}

}  // namespace
}  // namespace aduana
