// Queues and crawls: apart from each other, controlled by hand, and Mercator's scheme.

#include <gtest/gtest.h>

#include <set>

#include "aduana/recrawl_policies.h"
#include "frontier/frontier_fixture.h"

namespace aduana {
namespace {

using FrontierQueuesTest = FrontierTest;

TEST_F(FrontierQueuesTest, QueuesAreControlledByHand) {
  open();
  for (int i = 0; i < 10; ++i) seed("http://a.com/" + std::to_string(i));
  QueueControl block;
  block.key = "a.com";
  block.block_until = kStart + Millis{5000};
  ASSERT_TRUE(frontier_->control(block));
  EXPECT_EQ(request(1), Urls{});
  reopen();
  EXPECT_EQ(request(1), Urls{});
  clock_.advance(Millis{5000});
  EXPECT_EQ(request(1).size(), 1u);
  QueueControl delay;
  delay.key = "a.com";
  delay.delay = Millis{1000};
  ASSERT_TRUE(frontier_->control(delay));
  EXPECT_EQ(request(5).size(), 1u) << "from the next one on";
  EXPECT_EQ(request(5).size(), 0u);
  clock_.advance(Millis{1000});
  QueueControl limit;
  limit.key = "a.com";
  limit.limit = 1;
  limit.delay = std::optional<Millis>();
  ASSERT_TRUE(frontier_->control(limit));
  report("http://a.com/0");
  EXPECT_EQ(request(5).size(), 0u);
  QueueControl unknown;
  unknown.key = "b.com";
  EXPECT_EQ(frontier_->control(unknown).error().code(), Code::not_found);
  for (const Millis absurd : {Millis{-1}, Millis{std::chrono::days(50)}}) {
    delay.delay = absurd;
    EXPECT_EQ(frontier_->control(delay).error().code(), Code::invalid);
  }
  ASSERT_TRUE(frontier_->pause(true));
  limit.limit = 0;
  ASSERT_TRUE(frontier_->control(limit));
  EXPECT_EQ(request(5).size(), 0u);
  reopen();
  EXPECT_TRUE(frontier_->stats()->paused);
  ASSERT_TRUE(frontier_->pause(false));
  EXPECT_EQ(request(5).size(), 5u);
}

TEST_F(FrontierQueuesTest, TheSameUrlInTwoCrawlsIsTwoPages) {
  open();
  for (const std::string crawl : {"news", "", "images"}) {
    const Discovery d{.url = "http://a.com/", .score = 0, .metadata = {}, .priority = 0, .crawl = crawl, .queue = {}};
    ASSERT_TRUE(frontier_->discover({&d, 1}));
    ASSERT_TRUE(frontier_->discover({&d, 1}));
  }
  EXPECT_EQ(frontier_->stats()->urls, 3u);
  RequestOptions news;
  news.crawl = "news";
  const auto requests = frontier_->request(5, news);
  ASSERT_EQ(requests->size(), 1u);
  EXPECT_EQ(requests->front().crawl, "news");
  EXPECT_EQ(requests->front().queue, "a.com");
  ReportedPage page;
  page.url = "http://a.com/";
  page.crawl = "news";
  const ReportedLink link{"/next", 0, kDefaultPriority};
  page.links = {&link, 1};
  ASSERT_TRUE(frontier_->report({&page, 1}));
  EXPECT_EQ(frontier_->page({"http://a.com/", "news", {}})->state, PageState::done);
  EXPECT_EQ(frontier_->page({"http://a.com/", {}, {}})->state, PageState::queued);
  EXPECT_EQ(frontier_->page({"http://a.com/next", "news", {}})->state, PageState::queued);
  EXPECT_FALSE(frontier_->page({"http://a.com/next", {}, {}}));
  reopen();
  EXPECT_EQ(request(10).size(), 3u);
  news.crawl = "unheard of";
  EXPECT_EQ(request(10, news).size(), 0u);
  expect_sound();
}

TEST_F(FrontierQueuesTest, AQueueKeyOfTheClientsIsAQueueOfItsOwn) {
  options_.politeness.min_delay = Millis{1000};
  open();
  for (const std::string queue : {"first", "second", ""}) {
    const Discovery d{.url = "http://a.com/", .score = 0, .metadata = {}, .priority = 0, .crawl = {}, .queue = queue};
    ASSERT_TRUE(frontier_->discover({&d, 1}));
  }
  RequestOptions only;
  only.queue = "second";
  EXPECT_EQ(frontier_->request(5, only)->at(0).queue, "second");
  EXPECT_EQ(request(5).size(), 2u);
  EXPECT_EQ(frontier_->queue("first")->count(PageState::leased), 1u);
  const Discovery bad{.url = "http://a.com/", .score = 0, .metadata = {}, .priority = 0, .crawl = {}, .queue = "a\nb"};
  EXPECT_TRUE(frontier_->discover({&bad, 1})->errors[0]);
  expect_sound();
}

TEST_F(FrontierQueuesTest, BackQueuesBoundTheHostsThatAreActive) {
  options_.back_queues = 3;
  open();
  for (int host = 0; host < 10; ++host) {
    for (int i = 0; i < 5; ++i) seed("http://host" + std::to_string(host) + ".com/" + std::to_string(i));
  }
  std::set<std::string> hosts;
  const auto requests = frontier_->request(15);
  for (const Request& r : *requests) hosts.insert(r.queue);
  EXPECT_EQ(requests->size(), 15u);
  EXPECT_EQ(hosts.size(), 3u);
  EXPECT_EQ(request(100).size(), 35u);
  expect_sound();
}

TEST_F(FrontierQueuesTest, HigherFrontLevelsAreChosenMoreOften) {
  options_.front_levels = 2;
  options_.bias = 4;
  open();
  for (int i = 0; i < 1000; ++i) {
    seed("http://good" + std::to_string(i) + ".com/", 0.9f);
    seed("http://poor" + std::to_string(i) + ".com/", 0.1f);
  }
  int good = 0;
  for (const auto& url : request(500)) good += url.find("good") != std::string::npos;
  EXPECT_GT(good, 360);
  EXPECT_LT(good, 440) << "four to one";
}

TEST_F(FrontierQueuesTest, ADeletedQueueIsForgottenAndCanBeFoundAnew) {
  open();
  for (int i = 0; i < 5; ++i) seed("http://a.com/" + std::to_string(i));
  seed("http://b.com/");
  report("http://b.com/", {"http://a.com/0", "http://b.com/2"});
  RequestOptions only;
  only.queue = "a.com";
  ASSERT_EQ(request(3, only).size(), 3u);
  report("http://a.com/1", {"http://b.com/3", "http://a.com/9"}, {}, "a hash that is longer than what a record holds");
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    const uint64_t there = frontier_->queue("a.com") ? 6 : 0;
    const auto deleted = frontier_->delete_queue("a.com");
    ASSERT_TRUE(deleted) << deleted.error().message();
    EXPECT_EQ(*deleted, there);
    for (int again = 0; again < 2; ++again) {
      EXPECT_FALSE(frontier_->page({"http://a.com/1", {}, {}}));
      EXPECT_FALSE(frontier_->queue("a.com"));
      const auto stats = frontier_->stats();
      EXPECT_EQ(stats->urls, 3u);
      EXPECT_EQ(stats->queues, 1u);
      EXPECT_EQ(stats->links, 2u) << "those of b.com";
      EXPECT_EQ(stats->count(PageState::leased), 0u);
      expect_sound();
      reopen();
    }
    if (round == 1) continue;  // nothing there: the deletion of nothing
    for (int i = 0; i < 6; ++i) seed("http://a.com/" + std::to_string(i));
    EXPECT_EQ(frontier_->stats()->urls, 9u);
    const auto page = frontier_->page({"http://a.com/1", {}, {}});
    ASSERT_TRUE(page);
    EXPECT_EQ(page->n_crawls, 0u);
    EXPECT_EQ(page->state, PageState::queued);
    EXPECT_EQ(request(10, only).size(), 6u);
    expect_sound();
    reopen();
    expect_sound();
    if (round == 0) {
      ASSERT_TRUE(frontier_->delete_queue("a.com"));
    }
  }
  EXPECT_EQ(frontier_->delete_queue("c.com").error().code(), Code::not_found);
  EXPECT_EQ(frontier_->delete_queue({}).error().code(), Code::invalid);
}

TEST_F(FrontierQueuesTest, PolitenessOutlivesTheQueue) {
  options_.politeness.min_delay = Millis{1000};
  open();
  seed("http://a.com/1");
  ASSERT_EQ(request(1).size(), 1u);
  QueueControl block;
  block.key = "a.com";
  block.block_until = Instant{std::chrono::hours(1'000'000)};
  ASSERT_TRUE(frontier_->control(block));
  ASSERT_TRUE(frontier_->delete_queue("a.com"));
  seed("http://a.com/1");
  EXPECT_EQ(request(1), Urls{}) << "the host was asked a moment ago";
  reopen();
  EXPECT_EQ(request(1), Urls{});
  clock_.advance(Millis{1000});
  EXPECT_EQ(request(1).size(), 1u) << "what was set by hand is gone";
}

TEST_F(FrontierQueuesTest, ADeletedCrawlLeavesTheOthers) {
  open();
  for (const std::string crawl : {"news", "images"}) {
    for (const char* url : {"http://a.com/", "http://b.com/"}) {
      const Discovery d{.url = url, .score = 0, .metadata = "its own", .priority = 0, .crawl = crawl, .queue = {}};
      ASSERT_TRUE(frontier_->discover({&d, 1}));
    }
  }
  seed("http://a.com/");
  EXPECT_EQ(*frontier_->delete_crawl("news"), 2u);
  EXPECT_EQ(frontier_->stats()->urls, 3u);
  EXPECT_FALSE(frontier_->page({"http://a.com/", "news", {}}));
  EXPECT_TRUE(frontier_->page({"http://a.com/", "images", {}}));
  EXPECT_EQ(*frontier_->delete_crawl({}), 1u) << "DEFAULT";
  EXPECT_EQ(frontier_->delete_crawl("unheard of").error().code(), Code::not_found);
  reopen();
  EXPECT_EQ(request(10), (Urls{"http://a.com/", "http://b.com/"}));
  expect_sound();
}

TEST_F(FrontierQueuesTest, AHostThatMayNotBeCrawledGivesItsBackQueueAway) {
  options_.back_queues = 2;
  options_.politeness.first_back_off = Millis{60'000};
  options_.max_retries = 100;
  open();
  for (int host = 0; host < 6; ++host) {
    for (int i = 0; i < 2; ++i) seed("http://host" + std::to_string(host) + ".com/" + std::to_string(i));
  }
  QueueControl limit;
  limit.key = "host0.com";
  limit.limit = 1;
  ASSERT_TRUE(frontier_->control(limit));
  report("http://host0.com/0");
  QueueControl block;
  block.key = "host1.com";
  block.block_until = kStart + Millis{3'600'000};
  ASSERT_TRUE(frontier_->control(block));
  EXPECT_EQ(request(2), (Urls{"http://host2.com/0", "http://host2.com/1"}));
  EXPECT_FALSE(fail("http://host2.com/0"));
  EXPECT_EQ(request(100).size(), 6u) << "the rest of three hosts";
  clock_.advance(Millis{3'600'000});
  EXPECT_EQ(request(100).size(), 2u + 2u + 6u) << "host1.com, host2.com, and the leases that ended";
  expect_sound();
}

TEST_F(FrontierQueuesTest, TheLimitOfAQueueCountsPagesThatAreToBeCrawledAgain) {
  options_.recrawl = *FixedPeriod::make(Millis{1000});
  open();
  for (int i = 0; i < 3; ++i) seed("http://a.com/" + std::to_string(i));
  QueueControl limit;
  limit.key = "a.com";
  limit.limit = 1;
  ASSERT_TRUE(frontier_->control(limit));
  ASSERT_EQ(request(1).size(), 1u);
  report("http://a.com/0");
  for (int restart = 0; restart < 2; ++restart) {
    clock_.advance(Millis{1000});
    EXPECT_EQ(state("http://a.com/0"), PageState::queued);
    EXPECT_EQ(request(5), Urls{});
    reopen();
  }
}

TEST_F(FrontierQueuesTest, ADelayOfZeroSurvivesARestart) {
  options_.politeness.min_delay = Millis{1000};
  open();
  for (int i = 0; i < 3; ++i) seed("http://a.com/" + std::to_string(i));
  QueueControl at_once;
  at_once.key = "a.com";
  at_once.delay = Millis{0};
  ASSERT_TRUE(frontier_->control(at_once));
  reopen();
  EXPECT_EQ(request(5).size(), 3u);
}

TEST_F(FrontierQueuesTest, ControlOfACrawlThatIsNotThereIsAnError) {
  open();
  seed("http://a.com/");
  QueueControl control;
  control.crawl = "unheard of";
  control.delay = Millis{1};
  EXPECT_EQ(frontier_->control(control).error().code(), Code::not_found);
  RequestOptions broken;
  broken.crawl = "two\nlines";
  EXPECT_EQ(frontier_->request(1, broken).error().code(), Code::invalid);
}

}  // namespace
}  // namespace aduana
