// Clients that give no time and send again what they got no answer to: the same counts once, anything else counts.

#include "frontier/frontier_fixture.h"

namespace aduana {
namespace {

class RepeatedReportTest : public FrontierTest {
 protected:
  RepeatedReportTest() {
    page_.url = "http://a.com/";
    page_.score = 0.5f;
    page_.content_hash = "x";
    page_.may_be_repeated = true;
    page_.links = links_;
  }

  // How many crawls are counted, of this report and another one a while later.
  uint32_t crawls_after(const ReportedPage& again, Millis wait = Millis{5000}) {
    open("/crawl" + std::to_string(++stores_));
    EXPECT_TRUE(frontier_->report({&page_, 1}));
    clock_.advance(wait);
    EXPECT_TRUE(frontier_->report({&again, 1}));
    expect_sound();
    return frontier_->page({page_.url})->n_crawls;
  }

  std::vector<ReportedLink> links_{{"http://a.com/1", 0.5f}, {"http://b.com/", 0.5f}};
  ReportedPage page_;
  int stores_ = 0;
};

TEST_F(RepeatedReportTest, TheSameAgainCountsOnceForAWhile) {
  EXPECT_EQ(crawls_after(page_), 1u);
  EXPECT_EQ(crawls_after(page_, kRepeatedWithin), 1u);
  EXPECT_EQ(crawls_after(page_, kRepeatedWithin + Millis{1}), 2u);
}

TEST_F(RepeatedReportTest, AnythingElseCounts) {
  ReportedPage other = page_;
  other.score = 0.6f;
  EXPECT_EQ(crawls_after(other), 2u);
  other = page_;
  other.content_hash = "y";
  EXPECT_EQ(crawls_after(other), 2u);
  other = page_;
  other.metadata = "new";
  EXPECT_EQ(crawls_after(other), 2u);
  other = page_;
  other.links = std::span(links_).subspan(1);
  EXPECT_EQ(crawls_after(other), 2u);
  other.links = {};
  EXPECT_EQ(crawls_after(other), 2u);
  other = page_;
  other.time = kStart + Millis{5000};
  EXPECT_EQ(crawls_after(other), 2u) << "who gives a time knows what is repeated";
  other = page_;
  other.may_be_repeated = false;
  EXPECT_EQ(crawls_after(other), 2u);
}

TEST_F(RepeatedReportTest, OldNewsReplacesNothing) {
  open();
  ReportedPage first = page_, last = page_;
  first.time = kStart - Millis{2000};
  first.content_hash = "old";
  first.links = {};
  last.time = kStart - Millis{1000};
  last.score = 0.9f;
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(frontier_->report({&first, 1}));
    ASSERT_TRUE(frontier_->report({&last, 1}));
  }
  ReportedPage between = first;
  between.time = kStart - Millis{1500};
  ASSERT_TRUE(frontier_->report({&between, 1}));
  const PageInfo page = *frontier_->page({page_.url});
  EXPECT_EQ(page.n_crawls, 3u);
  EXPECT_EQ(page.n_changes, 1u);
  EXPECT_EQ(page.content_hash, "x");
  EXPECT_EQ(page.score, 0.9f);
  EXPECT_EQ(page.first_crawl, *first.time);
  EXPECT_EQ(page.last_crawl, *last.time);
  EXPECT_EQ(frontier_->links({page_.url}, LinkDirection::out, 10)->total, 2u);
  expect_sound();
}

TEST_F(RepeatedReportTest, AClockThatIsAheadDoesNoHarm) {
  for (const Millis ahead : {Millis{1000}, kMostAhead, 2 * kMostAhead}) {
    page_.time = clock_.now() + ahead;
    EXPECT_EQ(crawls_after(page_), 1u) << "the same time again, or the same content now";
    ReportedPage news = page_;
    news.time.reset();
    news.content_hash = "y";
    ASSERT_TRUE(frontier_->report({&news, 1}));
    EXPECT_EQ(frontier_->page({page_.url})->content_hash, "y") << "which is not of the past";
    EXPECT_EQ(frontier_->page({page_.url})->last_crawl, clock_.now());
    expect_sound();
  }
}

TEST_F(RepeatedReportTest, TheSameMillisecondIsNoTimeThatWasTold) {
  ReportedPage other = page_;
  other.content_hash = "y";
  EXPECT_EQ(crawls_after(other, Millis{0}), 2u);
  EXPECT_EQ(frontier_->page({page_.url})->content_hash, "y");
  EXPECT_EQ(crawls_after(page_, Millis{0}), 1u);
}

// The lease may have run out, or the page was given back: what is reported then is what came of it.
TEST_F(RepeatedReportTest, WhatWasToBeCrawledAgainWas) {
  class AtOnce final : public Recrawl {
   public:
    std::optional<Instant> next_visit(const CrawlHistory&, Instant now) override { return now; }
  };
  options_.recrawl = std::make_shared<AtOnce>();
  for (const bool gone : {false, true}) {
    open("/crawl" + std::to_string(++stores_));
    ASSERT_TRUE(frontier_->report({&page_, 1}));
    clock_.advance(Millis{10});
    ASSERT_EQ(request(1), Urls{"http://a.com/"});
    const PageRef leased{page_.url};
    if (gone) {
      EXPECT_FALSE(fail("http://a.com/", FailureKind::gone));
    } else {
      ASSERT_TRUE(frontier_->release({&leased, 1}));
    }
    ASSERT_TRUE(frontier_->report({&page_, 1}));
    EXPECT_EQ(frontier_->page(leased)->n_crawls, 2u);
    EXPECT_NE(state("http://a.com/"), PageState::gone);
    expect_sound();
  }
}

TEST_F(RepeatedReportTest, AlsoWithoutHashAndLinks) {
  page_.content_hash = {};
  page_.links = {};
  EXPECT_EQ(crawls_after(page_), 1u);
}

TEST_F(RepeatedReportTest, ALeaseIsAlwaysConfirmed) {
  class AtOnce final : public Recrawl {
   public:
    std::optional<Instant> next_visit(const CrawlHistory&, Instant now) override { return now; }
  };
  options_.recrawl = std::make_shared<AtOnce>();
  open();
  ASSERT_TRUE(frontier_->report({&page_, 1}));
  clock_.advance(Millis{10});
  ASSERT_EQ(request(1), Urls{"http://a.com/"});
  clock_.advance(Millis{10});
  ASSERT_TRUE(frontier_->report({&page_, 1}));
  EXPECT_EQ(frontier_->page({page_.url})->n_crawls, 2u);
  EXPECT_NE(state("http://a.com/"), PageState::leased);
}

TEST_F(RepeatedReportTest, ItIsToldAfterARestartAndWhenTheJournalIsReadAgain) {
  open();
  ASSERT_TRUE(frontier_->report({&page_, 1}));
  reopen();
  clock_.advance(Millis{1000});
  ASSERT_TRUE(frontier_->report({&page_, 1}));
  EXPECT_EQ(frontier_->page({page_.url})->n_crawls, 1u);
  const auto killed = disk_.after_power_cut(CutPolicy::keep_all, 1);
  const auto replayed = open_frontier(*killed, dir_, options_, store_options_of(options_));
  ASSERT_TRUE(replayed);
  EXPECT_EQ((*replayed)->page({page_.url})->n_crawls, 1u);
}

}  // namespace
}  // namespace aduana
