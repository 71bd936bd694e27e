// For tests of the frontier: one on a simulated disk, with a clock that stands still until told, without politeness.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "aduana/frontier.h"
#include "base/simulated_disk.h"
#include "frontier/open_frontier.h"

namespace aduana {

class FrontierTest : public ::testing::Test {
 protected:
  static constexpr const char* kDir = "/crawl";
  static constexpr Instant kStart{Millis{1'800'000'000'000}};
  using Urls = std::vector<std::string>;

  FrontierTest() {
    options_.clock = &clock_;
    options_.background = false;
    options_.cache_bytes = 1 << 20;
    options_.politeness = PolitenessOptions::none();
  }

  void open(const std::string& dir = kDir) {
    frontier_.reset();
    dir_ = dir;
    StoreOptions store = store_options_of(options_);
    store.pages.index.memtable_entries = 1000;
    auto opened = open_frontier(disk_, dir_, options_, store);
    ASSERT_TRUE(opened) << opened.error().message();
    frontier_ = std::move(*opened);
  }
  void reopen() {
    ASSERT_TRUE(frontier_->close());
    open(dir_);
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
  // The one page that there is to be had is leased, and the lease runs out.
  void let_a_lease_run_out() {
    RequestOptions brief;
    brief.lease = Millis{10};
    ASSERT_EQ(request(1, brief).size(), 1u);
    clock_.advance(Millis{20});
  }
  std::optional<Error> fail(const std::string& url, FailureKind kind = FailureKind::temporary) {
    const Failure failure{url, kind};
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
  std::string dir_;
  std::unique_ptr<Frontier> frontier_;
};

}  // namespace aduana
