// More pending pages than memory may hold: tails of queues are on disk, and nobody sees a difference.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "frontier/frontier_fixture.h"

namespace aduana {
namespace {

class FrontierMemoryTest : public FrontierTest {
 protected:
  static constexpr const char* kScratchPath = "/crawl/pending.spill";
  static constexpr int kPages = 40'000;

  FrontierMemoryTest() { options_.pending_bytes = 0; }

  // Pages of one host with scores at random.
  void find_pages() {
    std::mt19937_64 random(3);
    std::vector<std::string> urls;
    for (int i = 0; i < kPages; ++i) urls.push_back("http://a.com/" + std::to_string(i));
    std::vector<Discovery> found;
    for (const auto& url : urls) {
      const auto score = static_cast<float>(random() % 1'000'000) * 1e-6f;
      found.push_back({url, score, {}, kDefaultPriority, {}, {}});
      by_score_.emplace_back(-score, url);
    }
    std::stable_sort(by_score_.begin(), by_score_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    ASSERT_TRUE(frontier_->discover(found));
  }
  bool has_scratch() { return *disk_.exists(kScratchPath); }

  std::vector<std::pair<float, std::string>> by_score_;
};

TEST_F(FrontierMemoryTest, PagesComeInTheSameOrder) {
  open();
  find_pages();
  EXPECT_TRUE(has_scratch());
  EXPECT_LT(frontier_->stats()->pending_bytes, kPages * 12u / 2);
  expect_sound();
  size_t at = 0;
  for (const size_t n : {1, 100, 10'000, 15'000, 100'000}) {
    for (const auto& url : request(n)) {
      ASSERT_LT(at, by_score_.size());
      ASSERT_EQ(url, by_score_[at].second) << at;
      ++at;
    }
    if (n == 10'000) reopen();
  }
  EXPECT_EQ(at, by_score_.size());
  expect_sound();
  ASSERT_TRUE(frontier_->close());
  frontier_.reset();
  EXPECT_FALSE(has_scratch()) << "nothing is left behind";
}

TEST_F(FrontierMemoryTest, ADeletedQueueGivesItsPlaceBack) {
  open();
  find_pages();
  EXPECT_EQ(*frontier_->delete_queue("a.com"), static_cast<uint64_t>(kPages));
  EXPECT_LT(frontier_->stats()->pending_bytes, 1000u);
  const uint64_t before = *(*disk_.open(kScratchPath, OpenMode::read))->size();
  by_score_.clear();
  find_pages();
  EXPECT_LE(*(*disk_.open(kScratchPath, OpenMode::read))->size(), before) << "used again";
  EXPECT_EQ(request(1), Urls{by_score_[0].second});
  expect_sound();
}

TEST_F(FrontierMemoryTest, WhatAKilledProcessLeftIsRemoved) {
  open();
  find_pages();
  auto left = disk_.after_power_cut(CutPolicy::keep_all, 0);
  frontier_.reset();
  options_.pending_bytes = size_t{1} << 30;
  auto opened = open_frontier(*left, kDir, options_, store_options_of(options_));
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_FALSE(*left->exists(kScratchPath));
  EXPECT_EQ((*opened)->request(kPages)->size(), static_cast<size_t>(kPages));
}

TEST_F(FrontierMemoryTest, PagesThatCannotBeReadAreAnErrorUntilTheNextOpen) {
  open();
  find_pages();
  const uint64_t size = *(*disk_.open(kScratchPath, OpenMode::read))->size();
  for (uint64_t offset = 0; offset < size; offset += 1000) ASSERT_TRUE(disk_.corrupt(kScratchPath, offset, 1));
  std::optional<Error> error;
  for (int i = 0; i < 100 && !error; ++i) {
    const auto requests = frontier_->request(1000);
    if (!requests) error = requests.error();
  }
  ASSERT_TRUE(error);
  EXPECT_NE(error->message().find("open the store again"), std::string::npos) << error->message();
  EXPECT_TRUE(frontier_->stats());
  const uint64_t queued = frontier_->stats()->count(PageState::queued);
  reopen();
  EXPECT_EQ(request(kPages).size(), queued);
  expect_sound();
}

}  // namespace
}  // namespace aduana
