// The frontier's promises one by one, with a clock that stands still until told.

#include "aduana/frontier.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/simulated_disk.h"
#include "frontier/open_frontier.h"

namespace aduana {
namespace {

constexpr const char* kDir = "/crawl";
constexpr Instant kStart{Millis{1'800'000'000'000}};

FrontierOptions quiet_options(const Clock& clock) {
  FrontierOptions options;
  options.clock = &clock;
  options.background = false;
  options.cache_bytes = 1 << 20;
  options.politeness = PolitenessOptions::none();
  return options;
}

class FrontierTest : public ::testing::Test {
 protected:
  FrontierTest() : options_(quiet_options(clock_)) {}

  void open() {
    frontier_.reset();
    StoreOptions store = store_options_of(options_);
    store.pages.index.memtable_entries = 1000;
    auto opened = open_frontier(disk_, kDir, options_, store);
    ASSERT_TRUE(opened) << opened.error().message();
    frontier_ = std::move(*opened);
  }
  void reopen() {
    ASSERT_TRUE(frontier_->close());
    open();
  }

  void seed(const std::string& url, float score = 0, uint8_t priority = kDefaultPriority) {
    const Discovery discovery{
        .url = url, .score = score, .metadata = {}, .priority = priority, .crawl = {}, .queue = {}};
    const auto done = frontier_->discover({&discovery, 1});
    ASSERT_TRUE(done) << done.error().message();
    ASSERT_FALSE(done->errors[0]) << done->errors[0]->message();
  }
  void report(const std::string& url, const std::vector<std::string>& links = {}, std::optional<Millis> took = {},
              const std::string& hash = {}) {
    std::vector<ReportedLink> reported;
    for (const auto& link : links) reported.push_back({link, 0.5f, kDefaultPriority});
    ReportedPage page;
    page.url = url;
    page.links = reported;
    page.fetch_time = took;
    page.content_hash = hash;
    const auto done = frontier_->report({&page, 1});
    ASSERT_TRUE(done) << done.error().message();
    ASSERT_FALSE(done->pages[0].error) << done->pages[0].error->message();
  }
  std::vector<std::string> request(size_t n, const RequestOptions& options = {}) {
    const auto requests = frontier_->request(n, options);
    EXPECT_TRUE(requests) << requests.error().message();
    std::vector<std::string> urls;
    if (requests) {
      for (const Request& r : *requests) urls.push_back(r.url);
    }
    return urls;
  }
  std::optional<Error> fail(const std::string& url, FailureKind kind = FailureKind::temporary) {
    const Failure failure{url, kind, {}, {}, {}};
    return frontier_->fail({&failure, 1})->at(0);
  }
  PageState state(const std::string& url) { return frontier_->page({url, {}, {}})->state; }
  uint64_t count(PageState state) { return frontier_->stats()->count(state); }
  void expect_sound() {
    EXPECT_TRUE(frontier_->check([](const std::string& problem) { ADD_FAILURE() << problem; }));
  }

  ManualClock clock_{kStart};
  SimulatedDisk disk_;
  FrontierOptions options_;
  std::unique_ptr<Frontier> frontier_;
};

using Urls = std::vector<std::string>;

TEST_F(FrontierTest, TheBestPageComesFirst) {
  open();
  seed("http://a.com/low", 0.1f);
  seed("http://b.com/high", 0.9f);
  seed("http://a.com/middle", 0.5f);
  seed("http://c.com/none", -1);
  EXPECT_EQ(request(10), (Urls{"http://b.com/high", "http://a.com/middle", "http://a.com/low", "http://c.com/none"}));
  EXPECT_EQ(request(10), Urls{});
  expect_sound();
}

TEST_F(FrontierTest, ARequestCarriesWhatTheClientGave) {
  open();
  const Discovery discovery{
      .url = "HTTP://A.com:80/x", .score = 0.25f, .metadata = "bytes", .priority = 3, .crawl = {}, .queue = {}};
  ASSERT_TRUE(frontier_->discover({&discovery, 1}));
  const auto requests = frontier_->request(1);
  ASSERT_TRUE(requests);
  ASSERT_EQ(requests->size(), 1u);
  const Request& r = requests->front();
  EXPECT_EQ(r.url, "http://a.com/x");
  EXPECT_EQ(r.metadata, "bytes");
  EXPECT_EQ(r.score, 0.25f);
  EXPECT_EQ(r.queue, "a.com");
  EXPECT_EQ(r.crawl, "DEFAULT");
  EXPECT_EQ(r.lease_end, kStart + Millis{60'000});
}

TEST_F(FrontierTest, LinksAreQueuedAndKnownOnesAreNotAgain) {
  open();
  seed("http://a.com/");
  ASSERT_EQ(request(5).size(), 1u);
  report("http://a.com/", {"/1", "/2", "/1", "http://a.com/"});
  EXPECT_EQ(state("http://a.com/"), PageState::done);
  EXPECT_EQ(request(5).size(), 2u);
  report("http://a.com/1", {"/2", "/"});
  EXPECT_EQ(request(5), Urls{});
  EXPECT_EQ(count(PageState::done), 2u);
  EXPECT_EQ(count(PageState::leased), 1u);
  expect_sound();
}

TEST_F(FrontierTest, ALeaseThatRunsOutReturnsWithoutAnyTraffic) {
  open();
  seed("http://a.com/");
  ASSERT_EQ(request(1).size(), 1u);
  clock_.advance(Millis{59'999});
  EXPECT_EQ(request(1), Urls{});
  EXPECT_EQ(count(PageState::leased), 1u);
  clock_.advance(Millis{1});
  EXPECT_EQ(count(PageState::queued), 1u);
  EXPECT_EQ(request(1).size(), 1u);
  expect_sound();
}

TEST_F(FrontierTest, AConfirmationThatComesLateCountsOnce) {
  open();
  seed("http://a.com/");
  RequestOptions brief;
  brief.lease = Millis{10};
  ASSERT_EQ(request(1, brief).size(), 1u);
  clock_.advance(Millis{20});
  EXPECT_EQ(state("http://a.com/"), PageState::queued);
  report("http://a.com/");
  EXPECT_EQ(state("http://a.com/"), PageState::done);
  report("http://a.com/");
  EXPECT_EQ(count(PageState::done), 1u);
  EXPECT_EQ(request(1), Urls{});
  expect_sound();
}

TEST_F(FrontierTest, LeasesSurviveARestartWithTheirTime) {
  open();
  for (int i = 0; i < 10; ++i) seed("http://a.com/" + std::to_string(i));
  ASSERT_EQ(request(4).size(), 4u);
  clock_.advance(Millis{30'000});
  ASSERT_EQ(request(3).size(), 3u);
  reopen();
  EXPECT_EQ(count(PageState::leased), 7u);
  clock_.advance(Millis{30'000});
  EXPECT_EQ(count(PageState::leased), 3u);
  EXPECT_EQ(count(PageState::queued), 7u);
  clock_.advance(Millis{30'000});
  EXPECT_EQ(count(PageState::leased), 0u);
  expect_sound();
}

TEST_F(FrontierTest, OneRequestNeverHoldsMoreOfAHostThanAllowed) {
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

TEST_F(FrontierTest, ADelayOfLessThanASecondIsKept) {
  options_.politeness.min_delay = Millis{50};
  open();
  for (int i = 0; i < 10; ++i) seed("http://a.com/" + std::to_string(i));
  EXPECT_EQ(request(10).size(), 1u);
  clock_.advance(Millis{49});
  EXPECT_EQ(request(10).size(), 0u);
  clock_.advance(Millis{1});
  EXPECT_EQ(request(10).size(), 1u);
}

TEST_F(FrontierTest, PolitenessSurvivesARestart) {
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

TEST_F(FrontierTest, QueuesUnderTheSoftLimitComeBeforeHotOnes) {
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

TEST_F(FrontierTest, FailuresAreTriedAgainAndThenGivenUp) {
  options_.politeness.first_back_off = Millis{1000};
  options_.max_retries = 2;
  open();
  seed("http://a.com/1");
  seed("http://a.com/2");
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(request(1), Urls{"http://a.com/1"});
    EXPECT_FALSE(fail("http://a.com/1"));
    EXPECT_EQ(state("http://a.com/1"), PageState::queued);
    EXPECT_EQ(request(1), Urls{}) << "the host is left alone";
    clock_.advance(Millis{(1000 << i) - 1});
    EXPECT_EQ(request(1), Urls{});
    clock_.advance(Millis{1});
  }
  ASSERT_EQ(request(1), Urls{"http://a.com/1"});
  EXPECT_FALSE(fail("http://a.com/1"));
  EXPECT_EQ(state("http://a.com/1"), PageState::gone);
  clock_.advance(Millis{4000});
  EXPECT_EQ(request(5), Urls{"http://a.com/2"});
  EXPECT_FALSE(fail("http://a.com/2", FailureKind::gone));
  EXPECT_EQ(count(PageState::gone), 2u);
  EXPECT_TRUE(fail("http://a.com/2")) << "it is gone already";
  EXPECT_TRUE(fail("http://nowhere.com/"));
  expect_sound();
}

TEST_F(FrontierTest, AReleasedPageIsToBeHadAtOnce) {
  open();
  seed("http://a.com/");
  ASSERT_EQ(request(1).size(), 1u);
  const PageRef ref{"http://a.com/", {}, {}};
  EXPECT_FALSE(frontier_->release({&ref, 1})->at(0));
  EXPECT_TRUE(frontier_->release({&ref, 1})->at(0));
  EXPECT_EQ(request(1).size(), 1u);
}

TEST_F(FrontierTest, QueuesAreControlledByHand) {
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
  ASSERT_TRUE(frontier_->pause(true));
  limit.limit = 0;
  ASSERT_TRUE(frontier_->control(limit));
  EXPECT_EQ(request(5).size(), 0u);
  reopen();
  EXPECT_TRUE(frontier_->stats()->paused);
  ASSERT_TRUE(frontier_->pause(false));
  EXPECT_EQ(request(5).size(), 5u);
}

TEST_F(FrontierTest, TheSameUrlInTwoCrawlsIsTwoPages) {
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

TEST_F(FrontierTest, AQueueKeyOfTheClientsIsAQueueOfItsOwn) {
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

TEST_F(FrontierTest, LimitsRefuseAndCountByReason) {
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

TEST_F(FrontierTest, DepthInADomainBeginsAnewInAnother) {
  options_.limits.max_domain_depth = 2;
  open();
  seed("http://www.a.com/");
  report("http://www.a.com/", {"http://docs.a.com/1"});
  report("http://docs.a.com/1", {"http://www.a.com/2", "http://b.com/1"});
  EXPECT_EQ(state("http://www.a.com/2"), PageState::known);
  EXPECT_EQ(state("http://b.com/1"), PageState::queued);
}

TEST_F(FrontierTest, OddRequestsGetSaneAnswers) {
  options_.politeness = PolitenessOptions{};
  open();
  EXPECT_EQ(request(1ull << 60), Urls{}) << "an empty store";
  for (int i = 0; i < 100; ++i) seed("http://host" + std::to_string(i) + ".com/");
  EXPECT_EQ(request(0), Urls{});
  EXPECT_EQ(request(1ull << 60).size(), 100u);
  RequestOptions bad;
  bad.lease = Millis{0};
  EXPECT_FALSE(frontier_->request(1, bad));
  QueueControl all;
  all.block_until = kStart + Millis{1'000'000};
  ASSERT_TRUE(frontier_->control(all));
  clock_.advance(Millis{100'000});
  EXPECT_EQ(request(10), Urls{}) << "all blocked";
  EXPECT_EQ(count(PageState::queued), 100u);
}

TEST_F(FrontierTest, AClockThatIsSetBackStopsNothing) {
  options_.politeness.min_delay = Millis{1000};
  open();
  for (int i = 0; i < 10; ++i) seed("http://a.com/" + std::to_string(i));
  EXPECT_EQ(request(1).size(), 1u);
  clock_.set(kStart - Millis{3'600'000});
  EXPECT_EQ(request(1).size(), 0u);
  clock_.advance(Millis{1000});
  EXPECT_EQ(request(1).size(), 1u) << "a second passed, whatever the clock says";
  clock_.advance(Millis{59'000});
  EXPECT_EQ(count(PageState::leased), 1u) << "the first lease ran out";
}

TEST_F(FrontierTest, BackQueuesBoundTheHostsThatAreActive) {
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

TEST_F(FrontierTest, HigherFrontLevelsAreChosenMoreOften) {
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

TEST_F(FrontierTest, OrdersAreWhatTheirNamesSay) {
  struct Case {
    const char* order;
    Urls expected;
  };
  for (const Case& c : {Case{"breadth-first", {"http://a.com/s", "http://a.com/1", "http://a.com/2"}},
                        Case{"priority-first", {"http://a.com/2", "http://a.com/s", "http://a.com/1"}},
                        Case{"oldest-first", {"http://a.com/s", "http://a.com/1", "http://a.com/2"}}}) {
    SCOPED_TRACE(c.order);
    disk_.~SimulatedDisk();
    new (&disk_) SimulatedDisk();
    options_.order = *order_named(c.order);
    open();
    seed("http://a.com/s", 0, 5);
    clock_.advance(Millis{2000});
    const std::vector<ReportedLink> one = {{"http://a.com/1", 0, 9}};
    const std::vector<ReportedLink> two = {{"http://a.com/2", 0, 0}};
    ReportedPage page;
    page.url = "http://a.com/0";
    page.links = one;
    ASSERT_TRUE(frontier_->report({&page, 1}));
    clock_.advance(Millis{2000});
    page.url = "http://a.com/1?";
    ReportedPage deeper;
    deeper.url = "http://a.com/1";
    deeper.links = two;
    ASSERT_TRUE(frontier_->report({&deeper, 1}));
    seed("http://a.com/1b", 0, 31);
    reopen();
    Urls urls = request(10);
    std::erase(urls, "http://a.com/1b");
    Urls expected = c.expected;
    std::erase(expected, "http://a.com/1");  // crawled meanwhile
    EXPECT_EQ(urls, expected);
    frontier_.reset();
  }
  EXPECT_FALSE(order_named("worst-first"));
}

class EveryMinute final : public Recrawl {
 public:
  std::optional<Instant> next_visit(const CrawlHistory& page, Instant now) override {
    return page.n_crawls >= 3 ? std::nullopt : std::optional(now + Millis{60'000});
  }
};

TEST_F(FrontierTest, AScheduledPageIsQueuedWhenItsTimeComes) {
  options_.recrawl = std::make_shared<EveryMinute>();
  open();
  seed("http://a.com/");
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(request(1).size(), 1u);
    report("http://a.com/", {}, {}, "content");
    if (round == 2) break;
    EXPECT_EQ(state("http://a.com/"), PageState::scheduled);
    reopen();
    clock_.advance(Millis{59'999});
    EXPECT_EQ(request(1), Urls{});
    clock_.advance(Millis{1});
    EXPECT_EQ(state("http://a.com/"), PageState::queued);
  }
  EXPECT_EQ(state("http://a.com/"), PageState::done);
  expect_sound();
}

}  // namespace
}  // namespace aduana
