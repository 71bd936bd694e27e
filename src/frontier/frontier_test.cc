// The life of a page: found, requested, leased, reported, failed, crawled again.

#include <gtest/gtest.h>

#include "aduana/recrawl_policies.h"
#include "frontier/frontier_fixture.h"

namespace aduana {
namespace {

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
  let_a_lease_run_out();
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
  EXPECT_FALSE(fail("http://a.com/2", FailureKind::gone)) << "sent again";
  EXPECT_FALSE(fail("http://a.com/2")) << "it is gone already";
  EXPECT_TRUE(fail("http://nowhere.com/"));
  expect_sound();
}

TEST_F(FrontierTest, AReleasedPageIsToBeHadAtOnce) {
  open();
  seed("http://a.com/");
  ASSERT_EQ(request(1).size(), 1u);
  const PageRef ref{"http://a.com/", {}, {}};
  EXPECT_FALSE(frontier_->release({&ref, 1})->at(0));
  EXPECT_FALSE(frontier_->release({&ref, 1})->at(0)) << "sent again";
  EXPECT_EQ(request(1).size(), 1u);
  report("http://a.com/");
  EXPECT_TRUE(frontier_->release({&ref, 1})->at(0));
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

TEST_F(FrontierTest, ARedirectIsDoneAndLinksToItsTarget) {
  open();
  seed("http://a.com/old", 0.75f, 3);
  ASSERT_EQ(request(1).size(), 1u);
  Failure moved;
  moved.url = "http://a.com/old";
  moved.kind = FailureKind::redirect;
  moved.target = "http://[";
  EXPECT_EQ(frontier_->fail({&moved, 1})->at(0)->code(), Code::invalid);
  EXPECT_EQ(state("http://a.com/old"), PageState::leased) << "nothing happened";
  moved.target = "/new";
  EXPECT_FALSE(frontier_->fail({&moved, 1})->at(0));
  EXPECT_EQ(state("http://a.com/old"), PageState::done);
  const auto target = frontier_->page({"http://a.com/new", {}, {}});
  EXPECT_EQ(target->state, PageState::queued);
  EXPECT_EQ(target->linked_from, frontier_->page({"http://a.com/old", {}, {}})->idx);
  EXPECT_EQ(target->score, 0.75f) << "as good as the page that leads to it";
  EXPECT_EQ(frontier_->stats()->links, 1u);
  EXPECT_EQ(request(1), Urls{"http://a.com/new"});
  moved.url = "http://nowhere.com/";
  EXPECT_EQ(frontier_->fail({&moved, 1})->at(0)->code(), Code::not_found);
  expect_sound();
}

TEST_F(FrontierTest, TheSameReportTwiceCountsOnce) {
  class AtOnce final : public Recrawl {
   public:
    std::optional<Instant> next_visit(const CrawlHistory&, Instant now) override { return now; }
  };
  options_.recrawl = std::make_shared<AtOnce>();
  open();
  seed("http://a.com/");
  ASSERT_EQ(request(1).size(), 1u);
  ReportedPage page;
  page.url = "http://a.com/";
  page.time = kStart;
  page.content_hash = "first";
  ASSERT_TRUE(frontier_->report({&page, 1}));
  clock_.advance(Millis{10});
  ASSERT_EQ(request(1).size(), 1u) << "to be crawled again";
  page.content_hash = "altered on the way";
  ASSERT_TRUE(frontier_->report({&page, 1})) << "the answer to the first got lost";
  const auto info = frontier_->page({"http://a.com/", {}, {}});
  EXPECT_EQ(info->n_crawls, 1u);
  EXPECT_EQ(info->n_changes, 0u);
  EXPECT_EQ(info->state, PageState::leased) << "it does not confirm the new lease";
  expect_sound();
}

TEST_F(FrontierTest, ReadingGoesOnWhenTheDiskIsFull) {
  open();
  seed("http://a.com/");
  let_a_lease_run_out();
  disk_.set_capacity(0);
  EXPECT_FALSE(frontier_->request(1)) << "the lease that ended can't be written";
  EXPECT_EQ(frontier_->stats()->urls, 1u);
  EXPECT_TRUE(frontier_->page({"http://a.com/", {}, {}}));
  EXPECT_EQ(frontier_->queues(0, 10)->size(), 1u);
  EXPECT_TRUE(frontier_->queue("a.com"));
  disk_.set_capacity(UINT64_MAX);
  EXPECT_EQ(request(1).size(), 1u);
  expect_sound();
}

TEST_F(FrontierTest, AnotherRecrawlPolicyGoesOnWithTheStore) {
  options_.recrawl = *OptimalFreshness::make({});
  open();
  seed("http://a.com/");
  ASSERT_EQ(request(1).size(), 1u);
  report("http://a.com/");
  EXPECT_EQ(state("http://a.com/"), PageState::scheduled);
  options_.recrawl = *FixedPeriod::make(Millis{1000});
  reopen();
  EXPECT_EQ(state("http://a.com/"), PageState::scheduled);
  options_.recrawl = *OptimalFreshness::make({});
  reopen();
  options_.recrawl.reset();
  reopen();
  clock_.advance(std::chrono::days(31));
  EXPECT_EQ(request(1).size(), 1u) << "what was planned is done";
  expect_sound();
}

TEST_F(FrontierTest, PagesThatAreDueOutliveAFullDisk) {
  options_.recrawl = std::make_shared<EveryMinute>();
  open();
  seed("http://a.com/");
  ASSERT_EQ(request(1).size(), 1u);
  report("http://a.com/");
  clock_.advance(Millis{60'000});
  disk_.set_capacity(0);
  EXPECT_FALSE(frontier_->request(1));
  expect_sound();
  disk_.heal();
  EXPECT_EQ(request(1).size(), 1u);
  expect_sound();
}

TEST_F(FrontierTest, ASessionWithoutARecrawlPolicyForgetsNothingOfIt) {
  const auto policy = *OptimalFreshness::make({});
  options_.recrawl = policy;
  open();
  seed("http://a.com/");
  ASSERT_EQ(request(1).size(), 1u);
  report("http://a.com/");
  const double planned = policy->planned_rate();
  EXPECT_GT(planned, 0);
  options_.recrawl.reset();
  reopen();
  seed("http://b.com/");
  const auto again = *OptimalFreshness::make({});
  options_.recrawl = again;
  reopen();
  EXPECT_EQ(again->planned_rate(), planned);
}

TEST_F(FrontierTest, TheSameFailureTwiceCountsOnce) {
  options_.max_retries = 1;
  open();
  seed("http://a.com/");
  ASSERT_EQ(request(1).size(), 1u);
  EXPECT_FALSE(fail("http://a.com/"));
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(fail("http://a.com/"));
  EXPECT_EQ(state("http://a.com/"), PageState::queued) << "it may fail once";
  seed("http://b.com/");
  EXPECT_EQ(fail("http://b.com/")->code(), Code::invalid) << "it never failed, and is not leased";
  clock_.advance(Millis{3'600'000});
  ASSERT_EQ(request(2).size(), 2u);
  Failure moved;
  moved.url = "http://a.com/";
  moved.kind = FailureKind::redirect;
  moved.target = "http://c.com/";
  EXPECT_FALSE(frontier_->fail({&moved, 1})->at(0));
  clock_.advance(Millis{10});
  EXPECT_FALSE(frontier_->fail({&moved, 1})->at(0));
  moved.target = "http://d.com/";
  EXPECT_EQ(frontier_->fail({&moved, 1})->at(0)->code(), Code::invalid) << "this is not what was said";
  EXPECT_EQ(frontier_->page({"http://a.com/", {}, {}})->n_crawls, 1u);
  expect_sound();
}

TEST_F(FrontierTest, LeasesThatMakeNoSenseAreRefused) {
  open();
  seed("http://a.com/");
  for (const Millis lease : {Millis{0}, Millis{-1}, Millis::max()}) {
    RequestOptions options;
    options.lease = lease;
    EXPECT_EQ(frontier_->request(1, options).error().code(), Code::invalid);
  }
  EXPECT_EQ(request(1).size(), 1u);
}

// A page that is reported again and again without being requested must not fill the queue with its entries.
TEST_F(FrontierTest, EntriesThatAreLeftBehindDoNotPileUp) {
  class AtOnce final : public Recrawl {
   public:
    std::optional<Instant> next_visit(const CrawlHistory&, Instant now) override { return now + Millis{10'000}; }
  };
  options_.recrawl = std::make_shared<AtOnce>();
  open();
  seed("http://a.com/");
  for (int i = 0; i < 5000; ++i) {
    clock_.advance(Millis{i % 2 ? 20'000 : 10});
    report("http://a.com/");
  }
  EXPECT_LT(frontier_->stats()->pending_bytes, 10'000u);
  expect_sound();
}

}  // namespace
}  // namespace aduana
