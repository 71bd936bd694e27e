// Which pages are wanted, and which first: orders, depth, limits.

#include <gtest/gtest.h>

#include "frontier/frontier_fixture.h"

namespace aduana {
namespace {

using FrontierChoiceTest = FrontierTest;

TEST_F(FrontierChoiceTest, TheBestPageComesFirst) {
  open();
  seed("http://a.com/low", 0.1f);
  seed("http://b.com/high", 0.9f);
  seed("http://a.com/middle", 0.5f);
  seed("http://c.com/none", -1);
  EXPECT_EQ(request(10), (Urls{"http://b.com/high", "http://a.com/middle", "http://a.com/low", "http://c.com/none"}));
  EXPECT_EQ(request(10), Urls{});
  expect_sound();
}

TEST_F(FrontierChoiceTest, LimitsRefuseAndCountByReason) {
  options_.limits.max_seed_depth = 1;
  options_.limits.max_url_length = 40;
  options_.limits.max_repeated_segments = 2;
  options_.limits.max_pages_per_queue = 3;
  open();
  seed("http://a.com/");
  report("http://a.com/", {"/1", "http://a.com/a-path-that-is-longer-than-forty-bytes-here", "/x/x/x", "/x/x/y", "/2"});
  report("http://a.com/1", {"http://b.com/deep"});
  const auto stats = *frontier_->stats();
  EXPECT_EQ(stats.refused[static_cast<size_t>(Refusal::url_length)], 1u);
  EXPECT_EQ(stats.refused[static_cast<size_t>(Refusal::repeated_segments)], 1u);
  EXPECT_EQ(stats.refused[static_cast<size_t>(Refusal::queue_full)], 1u);
  EXPECT_EQ(stats.refused[static_cast<size_t>(Refusal::seed_depth)], 1u);
  EXPECT_EQ(state("http://a.com/2"), PageState::known);
  EXPECT_EQ(request(10), Urls{"http://a.com/x/x/y"});
  reopen();
  EXPECT_EQ(frontier_->stats()->refused, stats.refused);
  expect_sound();
}

TEST_F(FrontierChoiceTest, DepthInADomainBeginsAnewInAnother) {
  options_.limits.max_domain_depth = 2;
  open();
  seed("http://www.a.com/");
  report("http://www.a.com/", {"http://docs.a.com/1"});
  report("http://docs.a.com/1", {"http://www.a.com/2", "http://b.com/1"});
  EXPECT_EQ(state("http://www.a.com/2"), PageState::known);
  EXPECT_EQ(state("http://b.com/1"), PageState::queued);
}

// A seed, a page found two seconds later, and one behind that which is urgent.
TEST_F(FrontierChoiceTest, OrdersAreWhatTheirNamesSay) {
  struct Case {
    const char* order;
    Urls expected;
  };
  for (const Case& c : {Case{"breadth-first", {"http://a.com/seed", "http://a.com/near", "http://a.com/urgent"}},
                        Case{"priority-first", {"http://a.com/urgent", "http://a.com/seed", "http://a.com/near"}},
                        Case{"oldest-first", {"http://a.com/seed", "http://a.com/near", "http://a.com/urgent"}}}) {
    SCOPED_TRACE(c.order);
    options_.order = *order_named(c.order);
    open(std::string("/") + c.order);
    seed("http://a.com/seed", 0, 5);
    clock_.advance(Millis{2000});
    const ReportedLink links[] = {{"http://a.com/near", 0, 9}, {"http://a.com/passed", 0, 9}};
    ReportedPage page;
    page.url = "http://a.com/";
    page.links = links;
    ASSERT_TRUE(frontier_->report({&page, 1}));
    clock_.advance(Millis{2000});
    const ReportedLink urgent{"http://a.com/urgent", 0, 0};
    page.url = "http://a.com/passed";
    page.links = {&urgent, 1};
    ASSERT_TRUE(frontier_->report({&page, 1}));
    reopen();
    EXPECT_EQ(request(10), c.expected);
  }
  EXPECT_FALSE(order_named("worst-first"));
}

TEST_F(FrontierChoiceTest, ASeedIsQueuedThoughItWasRefusedAsALink) {
  options_.limits.max_seed_depth = 1;
  options_.limits.max_pages_per_queue = 3;
  open();
  seed("http://a.com/");
  report("http://a.com/", {"http://a.com/1"});
  report("http://a.com/1", {"http://a.com/2", "http://a.com/3"});
  EXPECT_EQ(state("http://a.com/2"), PageState::known) << "too deep";
  seed("http://a.com/2");
  EXPECT_EQ(state("http://a.com/2"), PageState::queued) << "but somebody wants it";
  seed("http://a.com/3");
  EXPECT_EQ(state("http://a.com/3"), PageState::known) << "the queue is full";
  expect_sound();
  reopen();
  EXPECT_EQ(request(5), Urls{"http://a.com/2"});
}

TEST_F(FrontierChoiceTest, SeedsOfOneQueueTakeNoRoomInAnother) {
  options_.limits.max_seed_depth = 1;
  options_.limits.max_pages_per_queue = 1;
  open();
  seed("http://start.com/");
  report("http://start.com/", {"http://start.com/next"});
  report("http://start.com/next", {"http://a.com/", "http://b.com/", "http://b.com/2"});
  std::vector<Discovery> seeds;
  for (const char* url : {"http://a.com/", "http://a.com/", "http://b.com/", "http://b.com/2"}) seeds.push_back({url});
  ASSERT_TRUE(frontier_->discover(seeds));
  EXPECT_EQ(state("http://a.com/"), PageState::queued);
  EXPECT_EQ(state("http://b.com/"), PageState::queued);
  EXPECT_EQ(state("http://b.com/2"), PageState::known) << "one page of a host";
  expect_sound();
}

TEST_F(FrontierChoiceTest, OnlyTheWebIsCrawledUnlessTold) {
  open();
  seed("http://a.com/");
  report("http://a.com/", {"mailto:somebody@a.com", "https://a.com/", "javascript:void(0)", "ftp://a.com/x"});
  EXPECT_EQ(frontier_->stats()->refused[static_cast<size_t>(Refusal::not_web)], 3u);
  EXPECT_EQ(request(10), Urls{"https://a.com/"});
  options_.limits.only_web = false;
  open("/all");
  seed("ftp://a.com/x");
  EXPECT_EQ(request(10), Urls{"ftp://a.com/x"});
}

}  // namespace
}  // namespace aduana
