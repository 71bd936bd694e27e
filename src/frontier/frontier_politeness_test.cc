// Politeness, limit by limit. (politeness_test.cc watches all of it from outside, with threads.)

#include <gtest/gtest.h>

#include "frontier/frontier_fixture.h"

namespace aduana {
namespace {

using FrontierPolitenessTest = FrontierTest;

TEST_F(FrontierPolitenessTest, OneRequestNeverHoldsMoreOfAHostThanAllowed) {
  options_.politeness = PolitenessOptions{};
  open();
  for (int i = 0; i < 100; ++i) seed("http://a.com/" + std::to_string(i));
  seed("http://b.com/");
  EXPECT_EQ(request(1000).size(), 2u);
  clock_.advance(Millis{5000});
  EXPECT_EQ(request(1000), Urls{}) << "one is in flight";
  report("http://a.com/0");
  EXPECT_EQ(request(1000).size(), 1u);
  report("http://a.com/1", {}, Millis{300});
  clock_.advance(Millis{2999});
  EXPECT_EQ(request(1000), Urls{}) << "ten times what the fetch took";
  clock_.advance(Millis{1});
  EXPECT_EQ(request(1000).size(), 1u);
  expect_sound();
}

TEST_F(FrontierPolitenessTest, ADelayOfLessThanASecondIsKept) {
  options_.politeness.min_delay = Millis{50};
  open();
  for (int i = 0; i < 10; ++i) seed("http://a.com/" + std::to_string(i));
  EXPECT_EQ(request(10).size(), 1u);
  clock_.advance(Millis{49});
  EXPECT_EQ(request(10).size(), 0u);
  clock_.advance(Millis{1});
  EXPECT_EQ(request(10).size(), 1u);
}

TEST_F(FrontierPolitenessTest, PolitenessSurvivesARestart) {
  options_.politeness.min_delay = Millis{10'000};
  open();
  for (int i = 0; i < 10; ++i) seed("http://a.com/" + std::to_string(i));
  EXPECT_EQ(request(10).size(), 1u);
  reopen();
  clock_.advance(Millis{9'999});
  EXPECT_EQ(request(10).size(), 0u);
  clock_.advance(Millis{1});
  EXPECT_EQ(request(10).size(), 1u);
}

TEST_F(FrontierPolitenessTest, QueuesUnderTheSoftLimitComeBeforeHotOnes) {
  options_.politeness.soft_rate = 0.05;  // 3 in a window of 60 s
  options_.politeness.hard_rate = 0.5;   // 30
  options_.lease = Millis{3'600'000};
  open();
  for (int i = 0; i < 100; ++i) seed("http://hot.com/" + std::to_string(i), 1);
  seed("http://cold.com/", 0.1f);
  const Urls urls = request(6);
  ASSERT_EQ(urls.size(), 6u);
  EXPECT_EQ(urls[4], "http://cold.com/") << "four of the better one bring it over the soft limit";
  EXPECT_EQ(request(1000).size(), 31u - 5u) << "up to the hard limit";
  clock_.advance(Millis{60'000});
  EXPECT_EQ(request(1000).size(), 31u - 12u) << "31/e is left of its temperature, 11.4";
}

class AddressTest : public FrontierTest {
 protected:
  void put_on(const std::string& host, std::string_view address) {
    QueueControl control;
    control.key = host;
    control.address = address;
    ASSERT_TRUE(frontier_->control(control));
  }
};

TEST_F(AddressTest, HostsOfOneAddressShareItsLimitInFlight) {
  options_.per_address.max_in_flight = 2;
  open();
  for (int i = 0; i < 5; ++i) {
    const std::string host = "h" + std::to_string(i) + ".com";
    for (int page = 0; page < 3; ++page) seed("http://" + host + "/" + std::to_string(page));
    if (i > 0) put_on(host, "192.0.2.1");
  }
  EXPECT_EQ(request(100),
            (Urls{"http://h0.com/0", "http://h0.com/1", "http://h0.com/2", "http://h1.com/0", "http://h1.com/1"}));
  EXPECT_EQ(request(100), Urls{});
  reopen();
  EXPECT_EQ(request(100), Urls{}) << "the leases are still there";
  report("http://h1.com/0");
  RequestOptions third;
  third.queue = "h3.com";
  EXPECT_EQ(request(100, third), Urls{"http://h3.com/0"}) << "though another would come first";
  EXPECT_EQ(request(100, third), Urls{});
  fail("http://h1.com/1", FailureKind::gone);
  EXPECT_EQ(request(100), Urls{"http://h1.com/2"});
  put_on("h4.com", "192.0.2.2");
  EXPECT_EQ(request(100), (Urls{"http://h4.com/0", "http://h4.com/1"}));
  put_on("h4.com", "");
  EXPECT_EQ(request(100), Urls{"http://h4.com/2"}) << "its address is not known any more";
  clock_.advance(options_.lease);
  EXPECT_EQ(request(100).size(), 3u + 3u + 2u) << "h0.com and h4.com have three, the address two";
  expect_sound();
}

TEST_F(AddressTest, HostsOfOneAddressShareItsDelayOverARestart) {
  options_.per_address.min_delay = Millis{500};
  open();
  for (const char* host : {"a.com", "b.com", "c.com"}) {
    seed("http://" + std::string(host) + "/", host[0] == 'b' ? 1 : 0);
    put_on(host, "2001:db8::1");
  }
  EXPECT_EQ(request(10), Urls{"http://b.com/"}) << "the best of them";
  reopen();
  clock_.advance(Millis{499});
  EXPECT_EQ(request(10), Urls{});
  EXPECT_EQ(frontier_->queue("a.com")->next_time, kStart + Millis{500});
  clock_.advance(Millis{1});
  EXPECT_EQ(request(10), Urls{"http://a.com/"});
  clock_.advance(Millis{500});
  EXPECT_EQ(request(10), Urls{"http://c.com/"});
}

TEST_F(AddressTest, TheLimitOfAnAddressHoldsOverAllCrawls) {
  options_.per_address.max_in_flight = 1;
  open();
  for (const std::string crawl : {"", "news"}) {
    const Discovery d{.url = "http://a.com/", .score = 0, .metadata = {}, .priority = 0, .crawl = crawl, .queue = {}};
    ASSERT_TRUE(frontier_->discover({&d, 1}));
    QueueControl control;
    control.crawl = crawl;
    control.key = "a.com";
    control.address = "192.0.2.1";
    ASSERT_TRUE(frontier_->control(control));
  }
  RequestOptions news;
  news.crawl = "news";
  EXPECT_EQ(request(5, news).size(), 1u);
  EXPECT_EQ(request(5).size(), 0u);
  clock_.advance(options_.lease);
  EXPECT_EQ(request(5).size(), 1u);
}

TEST_F(AddressTest, TheDelayOfAnAddressOutlivesTheHostThatMovedAway) {
  options_.per_address.min_delay = Millis{10'000};
  open();
  seed("http://a.com/");
  seed("http://b.com/");
  put_on("a.com", "192.0.2.1");
  put_on("b.com", "192.0.2.1");
  EXPECT_EQ(request(1), Urls{"http://a.com/"});
  put_on("a.com", "192.0.2.2");
  EXPECT_EQ(request(1), Urls{});
  reopen();
  EXPECT_EQ(request(1), Urls{});
  clock_.advance(Millis{10'000});
  EXPECT_EQ(request(1), Urls{"http://b.com/"});
}

TEST_F(FrontierPolitenessTest, OverridesHoldInEveryCrawl) {
  PolitenessOverride slow{.pattern = "slow.com"}, brackets{.pattern = "[::1]"};
  slow.min_delay = brackets.min_delay = Millis{10'000};
  options_.overrides = {slow, brackets};
  open();
  for (const std::string crawl : {"DEFAULT", "other"}) {
    for (int i = 0; i < 3; ++i) {
      for (const std::string host : {"slow.com", "[::1]"}) {
        const std::string url = "http://" + host + "/" + std::to_string(i);
        const Discovery d{.url = url, .score = 0, .metadata = {}, .priority = 0, .crawl = crawl, .queue = {}};
        ASSERT_TRUE(frontier_->discover({&d, 1}));
      }
    }
    RequestOptions options;
    options.crawl = crawl;
    EXPECT_EQ(request(10, options).size(), 2u) << crawl;
  }
}

TEST_F(FrontierPolitenessTest, AbsurdTimesAreCapped) {
  options_.politeness.fetch_factor = 10;
  open();
  seed("http://a.com/1");
  seed("http://a.com/2");
  ASSERT_EQ(request(1).size(), 1u);
  report("http://a.com/1", {}, Millis::max());
  EXPECT_EQ(request(1), Urls{});
  clock_.advance(options_.politeness.max_fetch_delay);
  EXPECT_EQ(request(1).size(), 1u);
  options_.politeness.min_delay = Millis::max();
  EXPECT_FALSE(open_frontier(disk_, "/other", options_, store_options_of(options_)));
}

TEST_F(FrontierPolitenessTest, ALargeRequestGetsAllWhoseDelaysAreOver) {
  options_.politeness.min_delay = Millis{1000};
  open();
  constexpr int kHosts = 10'000;
  for (int i = 0; i < 2 * kHosts; ++i) seed("http://h" + std::to_string(i % kHosts) + ".com/" + std::to_string(i));
  EXPECT_EQ(request(SIZE_MAX).size(), static_cast<size_t>(kHosts));
  clock_.advance(Millis{1000});
  EXPECT_EQ(request(SIZE_MAX).size(), static_cast<size_t>(kHosts));
}

}  // namespace
}  // namespace aduana
