// The schedule by itself: pages are numbers, and their keys a table.

#include "schedule/schedule.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>

namespace aduana {
namespace {

constexpr Instant kStart{Millis{1'800'000'000'000}};

// A schedule over pages whose keys the test sets; a page without a key is not queued.
class ScheduleTest : public ::testing::Test {
 protected:
  void make(const ScheduleOptions& options) {
    auto made = Schedule::make(options, [this](PageIdx page) -> std::optional<OrderKey> {
      const auto found = keys_.find(page.value);
      return found == keys_.end() ? std::nullopt : std::optional(found->second);
    });
    ASSERT_TRUE(made) << made.error().message();
    schedule_ = std::move(*made);
    schedule_->start(kStart);
  }
  void add(uint32_t queue, uint64_t page, OrderKey key) {
    schedule_->open_queue({queue}, "q", 0);
    schedule_->recount({queue}, std::nullopt, PageState::queued);
    keys_[page] = key;
    schedule_->add({queue}, {page}, key, kStart);
  }
  std::vector<uint64_t> take(size_t n, const TakeOptions& options = {}, Instant now = kStart) {
    std::vector<uint64_t> pages;
    for (const Taken& taken : schedule_->take(n, options, now)) {
      pages.push_back(taken.page.value);
      keys_.erase(taken.page.value);
    }
    return pages;
  }
  static ScheduleOptions free() {
    ScheduleOptions options;
    options.politeness = PolitenessOptions::none();
    return options;
  }

  std::map<uint64_t, OrderKey> keys_;
  std::unique_ptr<Schedule> schedule_;
};

using Pages = std::vector<uint64_t>;

TEST_F(ScheduleTest, PagesOfAllQueuesComeInTheOrderOfTheirKeys) {
  make(free());
  std::mt19937 random(1);
  std::vector<std::pair<OrderKey, uint64_t>> expected;
  for (uint64_t page = 0; page < 1000; ++page) {
    const OrderKey key = random() % 100;
    add(random() % 30, page, key);
    expected.emplace_back(key, page);
  }
  std::sort(expected.begin(), expected.end());
  const Pages pages = take(2000);
  ASSERT_EQ(pages.size(), expected.size());
  for (size_t i = 0; i < pages.size(); ++i) EXPECT_EQ(pages[i], expected[i].second);
}

TEST_F(ScheduleTest, AnEntryLeftBehindIsNeverGivenOut) {
  make(free());
  add(0, 1, 10);
  add(0, 2, 20);
  keys_[1] = 30;  // its score moved
  schedule_->add({0}, {1}, 30, kStart);
  schedule_->settle({0}, kStart);
  keys_.erase(2);  // it was crawled without being asked for
  schedule_->settle({0}, kStart);
  EXPECT_EQ(take(10), (Pages{1}));
}

TEST_F(ScheduleTest, APageThatIsInItsQueueTwiceIsGivenOutOnce) {
  make(free());
  add(0, 1, 10);
  schedule_->add({0}, {1}, 10, kStart);
  EXPECT_EQ(schedule_->take(10, {}, kStart).size(), 1u);
}

TEST_F(ScheduleTest, EntriesLeftBehindDoNotPileUp) {
  make(free());
  add(0, 1, 1);
  for (OrderKey key = 2; key < 10'000; ++key) {
    keys_[1] = key;
    schedule_->add({0}, {1}, key, kStart);
  }
  EXPECT_LT(schedule_->queue(HostId{0}).pending.size(), 200u);
  EXPECT_EQ(take(10), (Pages{1}));
}

// As when scores are computed anew: all pages of a large queue get other keys, again and again.
TEST_F(ScheduleTest, PagesWithOtherKeysComeInTheOrderOfTheNewOnes) {
  make(free());
  std::mt19937 random(1);
  for (uint64_t page = 0; page < 2000; ++page) add(page % 3, page, random() % 5000);
  for (int round = 0; round < 8; ++round) {
    for (uint64_t page = 0; page < 2000; ++page) {
      keys_[page] = random() % 5000;
      schedule_->rekey({static_cast<uint32_t>(page % 3)}, {page}, keys_[page], kStart);
    }
    for (uint32_t queue = 0; queue < 3; ++queue) {
      EXPECT_LT(schedule_->queue(HostId{queue}).pending.size(), 2 * 667u + 200);
    }
  }
  std::vector<std::pair<OrderKey, uint64_t>> expected;
  for (const auto& [page, key] : keys_) expected.emplace_back(key, page);
  std::sort(expected.begin(), expected.end());
  const Pages pages = take(3000);
  ASSERT_EQ(pages.size(), expected.size());
  for (size_t i = 0; i < pages.size(); ++i) ASSERT_EQ(pages[i], expected[i].second) << i;
}

TEST_F(ScheduleTest, OneCallTakesNoMoreOfAQueueThanAsked) {
  make(free());
  for (uint64_t page = 0; page < 10; ++page) add(page % 2, page, page);
  TakeOptions two;
  two.per_queue = 2;
  EXPECT_EQ(take(10, two), (Pages{0, 1, 2, 3}));
  EXPECT_EQ(take(10, two), (Pages{4, 5, 6, 7}));
  TakeOptions one_queue;
  one_queue.queue = HostId{1};
  EXPECT_EQ(take(10, one_queue), (Pages{9}));
  one_queue.queue = HostId{77};
  EXPECT_EQ(take(10, one_queue), Pages{});
}

TEST_F(ScheduleTest, OverridesChangeTheRuleOfMatchingQueues) {
  ScheduleOptions options;
  options.politeness.min_delay = Millis{1000};
  options.politeness.max_in_flight = 0;
  PolitenessOverride mine{.pattern = "*.mine.example"};
  mine.min_delay = Millis{0};
  options.overrides = {mine};
  make(options);
  schedule_->open_queue({0}, "www.mine.example", 0);
  schedule_->open_queue({1}, "www.theirs.example", 0);
  for (uint64_t page = 0; page < 10; ++page) add(page % 2, page, page);
  EXPECT_EQ(take(10), (Pages{0, 1, 2, 4, 6, 8}));
}

TEST_F(ScheduleTest, SettingsThatMakeNoSenseAreNamed) {
  const auto message_of = [](const std::function<void(ScheduleOptions&)>& change) {
    ScheduleOptions options;
    change(options);
    const auto made = Schedule::make(options, nullptr);
    return made ? std::string("fine") : made.error().message();
  };
  EXPECT_EQ(message_of([](auto&) {}), "fine");
  EXPECT_NE(message_of([](auto& o) { o.politeness.min_delay = Millis{-1}; }).find("delay"), std::string::npos);
  EXPECT_NE(message_of([](auto& o) { o.politeness.soft_rate = 2, o.politeness.hard_rate = 1; }).find("soft"),
            std::string::npos);
  EXPECT_NE(message_of([](auto& o) { o.politeness.window = Millis{0}; }).find("window"), std::string::npos);
  EXPECT_NE(message_of([](auto& o) { o.front_levels = 0; }).find("front levels"), std::string::npos);
  EXPECT_NE(message_of([](auto& o) { o.per_address.min_delay = Millis{-1}; }).find("address"), std::string::npos);
  EXPECT_NE(message_of([](auto& o) { o.bias = 0.5; }).find("bias"), std::string::npos);
  EXPECT_NE(
      message_of([](auto& o) { o.overrides = {{.pattern = "x", .min_delay = Millis{-5}}}; }).find("override for x"),
      std::string::npos);
}

// A million hosts, none of which is at or under the soft limit: a request must not look at all of them.
TEST(Schedule, AMillionHotHostsDoNotSlowARequest) {
  constexpr uint32_t kHosts = 1'000'000;
  ScheduleOptions options;
  options.politeness = PolitenessOptions::none();
  options.politeness.soft_rate = 0.01;  // less than one request a window
  options.politeness.hard_rate = 0.02;  // a second one, but no third
  auto schedule = std::move(*Schedule::make(options, [](PageIdx page) { return std::optional(OrderKey{page.value}); }));
  schedule->start(kStart);
  for (uint32_t host = 0; host < kHosts; ++host) {
    schedule->open_queue({host}, "", 0);
    for (uint64_t i = 0; i < 3; ++i) {
      const uint64_t page = host + i * kHosts;
      schedule->recount({host}, std::nullopt, PageState::queued);
      schedule->add({host}, {page}, page, kStart);
    }
  }
  ASSERT_EQ(schedule->take(kHosts, {}, kStart).size(), kHosts) << "one each brings all over the soft limit";
  // Against the time of looking at every queue once.
  using Clock = std::chrono::steady_clock;
  auto hot = Clock::duration::max();
  for (int i = 0; i < 5; ++i) {
    const auto begin = Clock::now();
    ASSERT_EQ(schedule->take(100, {}, kStart).size(), 100u) << "but not over the hard one";
    hot = std::min(hot, Clock::now() - begin);
  }
  ASSERT_EQ(schedule->take(kHosts, {}, kStart).size(), kHosts - 500);
  auto nothing = Clock::duration::max(), walk = Clock::duration::max();
  for (int i = 0; i < 5; ++i) {
    const auto begin = Clock::now();
    ASSERT_EQ(schedule->take(100, {}, kStart).size(), 0u);
    const auto middle = Clock::now();
    uint64_t ready = 0;
    for (uint32_t host = 0; host < kHosts; ++host) ready += schedule->ready_at(schedule->queue(HostId{host})) <= kStart;
    EXPECT_EQ(ready, 0u);
    nothing = std::min(nothing, middle - begin);
    walk = std::min(walk, Clock::now() - middle);
  }
  EXPECT_LT(hot, walk / 10);
  EXPECT_LT(nothing, walk / 100);
}

// A million hosts on one address that is asked for one page at a time: each request and each answer must not look at
// all of them.
TEST(Schedule, AMillionHostsOnOneAddressDoNotSlowARequest) {
  constexpr uint32_t kHosts = 1'000'000;
  ScheduleOptions options;
  options.politeness = PolitenessOptions::none();
  options.per_address.max_in_flight = 1;
  auto schedule = std::move(*Schedule::make(options, [](PageIdx page) { return std::optional(OrderKey{page.value}); }));
  schedule->start(kStart);
  for (uint32_t host = 0; host < kHosts; ++host) {
    schedule->open_queue({host}, "", 0);
    schedule->set_address({host}, 1, kStart);
    schedule->recount({host}, std::nullopt, PageState::queued);
    schedule->add({host}, {host}, host, kStart);
  }
  using Clock = std::chrono::steady_clock;
  auto requests = Clock::duration::max(), walk = Clock::duration::max();
  for (int round = 0; round < 5; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < 100; ++i) {
      const auto taken = schedule->take(100, {}, kStart);
      ASSERT_EQ(taken.size(), 1u);
      ASSERT_EQ(taken[0].page.value, static_cast<uint64_t>(round * 100 + i)) << "the best of the address";
      schedule->recount(taken[0].queue, PageState::leased, PageState::done);
      schedule->settle(taken[0].queue, kStart);
    }
    const auto middle = Clock::now();
    uint64_t ready = 0;
    for (uint32_t host = 0; host < kHosts; ++host) ready += schedule->ready_at(schedule->queue(HostId{host})) <= kStart;
    EXPECT_EQ(ready, kHosts);
    requests = std::min(requests, middle - begin);
    walk = std::min(walk, Clock::now() - middle);
  }
  EXPECT_LT(requests / 100, walk / 100);
}

}  // namespace
}  // namespace aduana
