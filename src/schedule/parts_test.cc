// The parts of the schedule: heaps, temperature, leases, orders, and the bytes of a queue.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "aduana/order.h"
#include "schedule/leases.h"
#include "schedule/pending_heap.h"
#include "schedule/queue.h"
#include "schedule/queue_heap.h"
#include "schedule/temperature.h"

namespace aduana {
namespace {

constexpr Instant kStart{Millis{1'800'000'000'000}};

TEST(PendingEntry, HoldsTheLargestKeyAndPage) {
  const PendingEntry entry(kLastOrderKey, PageIdx{kMaxPages});
  EXPECT_EQ(entry.key(), kLastOrderKey);
  EXPECT_EQ(entry.page(), PageIdx{kMaxPages});
  EXPECT_LT(PendingEntry(1, PageIdx{kMaxPages}), PendingEntry(2, PageIdx{0}));
  EXPECT_LT(PendingEntry(1, PageIdx{0xffffffff}), PendingEntry(1, PageIdx{0x100000000}));
}

TEST(PendingHeap, AgreesWithASet) {
  std::mt19937_64 random(1);
  PendingHeap heap;
  std::multiset<std::pair<OrderKey, uint64_t>> model;
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 5 < 3 || model.empty()) {
      const OrderKey key = random() % 1000;
      heap.push({key, PageIdx{random() % 50}});
      model.insert({key, 0});
    } else {
      EXPECT_EQ(heap.top().key(), model.begin()->first);
      heap.pop();
      model.erase(model.begin());
    }
    if (i % 5000 == 4999) {
      heap.filter([](const PendingEntry& e) { return e.key() % 2 == 0; });
      std::erase_if(model, [](const auto& e) { return e.first % 2 != 0; });
    }
    ASSERT_EQ(heap.size(), model.size());
  }
}

TEST(QueueHeap, AgreesWithAMapWhenKeysChange) {
  std::mt19937_64 random(2);
  QueuePlaces places;
  QueueHeap<uint64_t> heap(places), other(places);
  std::map<uint32_t, uint64_t> model;
  other.put({1000}, 5);
  for (int i = 0; i < 20'000; ++i) {
    const HostId queue{static_cast<uint32_t>(random() % 100)};
    if (random() % 3) {
      const uint64_t key = random() % 1000;
      heap.put(queue, key);
      model[queue.value] = key;
    } else {
      EXPECT_EQ(heap.remove(queue), model.erase(queue.value) > 0);
    }
    ASSERT_EQ(heap.size(), model.size());
    if (model.empty()) continue;
    const auto best = std::min_element(model.begin(), model.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second, a.first) < std::pair(b.second, b.first);
    });
    ASSERT_EQ(heap.top().value, best->first);
    ASSERT_EQ(heap.top_key(), best->second);
  }
  EXPECT_FALSE(heap.remove({1000})) << "it is in the other one";
  EXPECT_TRUE(other.remove({1000}));
}

TEST(Temperature, CoolsAsDocumented) {
  const Millis window{2000};
  Temperature t;
  EXPECT_EQ(t.at(kStart, window), 0);
  t.heat(kStart, window);
  EXPECT_DOUBLE_EQ(t.at(kStart + Millis{1000}, window), std::exp(-0.5));
  t.heat(kStart + Millis{1000}, window);
  EXPECT_DOUBLE_EQ(t.at(kStart + Millis{3000}, window), (std::exp(-0.5) + 1) * std::exp(-1));
  EXPECT_EQ(t.at(kStart, window), t.value) << "time that goes back cools nothing";
}

TEST(Temperature, TellsWhenItWillHaveCooled) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    const Millis window{static_cast<int64_t>(1 + random() % 100'000)};
    Temperature t{static_cast<double>(random() % 1000) / 7, kStart};
    const double limit = static_cast<double>(1 + random() % 1000) / 13;
    const Instant at = t.cool_at(limit, window);
    EXPECT_LE(t.at(at, window), limit);
    if (at > kStart) {
      EXPECT_GT(t.at(at - Millis{2}, window), limit * (1 - 1e-3));
    }
  }
}

TEST(DomainTemperatures, TracksAnyNumberOfDomainsAndForgetsColdOnes) {
  DomainTemperatures domains(Millis{60'000});
  domains.update(kStart);
  for (uint32_t d = 0; d < 100'000; ++d) domains.heat(d);
  for (int i = 0; i < 9; ++i) domains.heat(7);
  EXPECT_EQ(domains.get(7), 10);
  EXPECT_EQ(domains.get(99'999), 1);
  EXPECT_EQ(domains.get(100'000), 0);
  domains.update(kStart + Millis{60'000});
  EXPECT_DOUBLE_EQ(domains.get(7), 10 * std::exp(-1));
  domains.update(kStart);
  EXPECT_DOUBLE_EQ(domains.get(7), 10 * std::exp(-1)) << "time does not go back";
  domains.update(kStart + Millis{6'000'000});
  for (uint32_t d = 0; d < 150'000; ++d) domains.heat(1'000'000 + d);
  EXPECT_LT(domains.size(), 250'000u);
}

TEST(Leases, EndInOrderAndSurviveSaving) {
  Leases leases;
  for (uint64_t i = 0; i < 100; ++i) leases.add({i}, kStart + Millis{static_cast<int64_t>((i * 37) % 100)});
  leases.add({5}, kStart + Millis{1000});
  EXPECT_TRUE(leases.remove({0}));
  EXPECT_FALSE(leases.remove({0}));
  Leases again;
  ASSERT_TRUE(again.load(leases.save()));
  for (Leases* l : {&leases, &again}) {
    EXPECT_EQ(l->size(), 99u);
    EXPECT_EQ(l->end_of({5}), kStart + Millis{1000});
    EXPECT_EQ(l->end_of({0}), std::nullopt);
    EXPECT_EQ(l->next_end(), kStart + Millis{1});
    const auto ended = l->ended(kStart + Millis{49}, 1000);
    EXPECT_EQ(ended.size(), 49u) << "page 0 is removed";
    for (size_t i = 1; i < ended.size(); ++i) EXPECT_LT(*l->end_of(ended[i - 1]), *l->end_of(ended[i]));
    EXPECT_EQ(l->ended(kStart + Millis{49}, 3).size(), 3u);
    EXPECT_EQ(l->size(), 99u) << "they stay until removed";
  }
  EXPECT_FALSE(again.load("\xff"));
}

TEST(Leases, OnesThatEndedEarlyTakeNoRoom) {
  Leases leases;
  for (uint64_t i = 0; i < 100'000; ++i) {
    leases.add({i}, kStart + Millis{static_cast<int64_t>(i)});
    leases.remove({i});
  }
  leases.add({1}, kStart);
  EXPECT_EQ(leases.ended(kStart + Millis{1'000'000}, 10), std::vector<PageIdx>{{1}});
}

TEST(Order, ScoresOrderAsNumbers) {
  const BestFirst order;
  const float scores[] = {std::numeric_limits<float>::max(),        2, 1,      0.5f,
                          std::numeric_limits<float>::denorm_min(), 0, -0.25f, -std::numeric_limits<float>::max()};
  OrderKey before = 0;
  for (const float score : scores) {
    const OrderKey key = order.key({.page = {}, .score = score});
    EXPECT_LE(key, kLastOrderKey);
    EXPECT_LT(before, key) << score;
    before = key;
  }
  EXPECT_EQ(order.key({.page = {}, .score = 0.0f}), order.key({.page = {}, .score = -0.0f}));
  EXPECT_EQ(order.level(order.key({.page = {}, .score = 0.95f}), 10), 0u);
  EXPECT_EQ(order.level(order.key({.page = {}, .score = 0.55f}), 10), 4u);
  EXPECT_EQ(order.level(order.key({.page = {}, .score = -5}), 10), 9u);
  EXPECT_EQ(order.level(order.key({.page = {}, .score = 5}), 10), 0u);
}

TEST(Order, DepthAndPriorityComeBeforeChance) {
  const auto facts = [](uint64_t page, uint8_t depth, uint8_t priority) {
    return PageFacts{{page}, 0, 0, depth, priority, {}};
  };
  const BreadthFirst breadth;
  const PriorityFirst priority;
  for (uint64_t i = 0; i < 100; ++i) {
    EXPECT_LT(breadth.key(facts(i, 1, 31)), breadth.key(facts(i + 1, 2, 0)));
    EXPECT_LT(breadth.key(facts(i, 1, 3)), breadth.key(facts(i + 1, 1, 4)));
    EXPECT_LT(priority.key(facts(i, 200, 3)), priority.key(facts(i + 1, 1, 4)));
    EXPECT_LT(priority.key(facts(i, 1, 3)), priority.key(facts(i + 1, 2, 3)));
  }
  std::set<OrderKey> keys;
  for (uint64_t i = 0; i < 1000; ++i) keys.insert(breadth.key(facts(i, 1, 1)));
  EXPECT_EQ(keys.size(), 1000u);
}

TEST(Queue, ComesBackFromItsBytes) {
  Queue queue;
  queue.next_time = kStart;
  queue.blocked_until = kStart + Millis{1};
  queue.backed_off_until = kStart + Millis{2};
  queue.temperature = {1.0 / 3, kStart + Millis{3}};
  queue.last_fetch = Millis{4};
  queue.crawl_delay = Millis{5};
  queue.delay = Millis{0};
  queue.limit = 6;
  queue.failures_in_a_row = 7;
  char bytes[Queue::kRecordBytes];
  queue.encode(bytes);
  Queue again;
  again.decode(bytes);
  EXPECT_EQ(again.next_time, queue.next_time);
  EXPECT_EQ(again.blocked_until, queue.blocked_until);
  EXPECT_EQ(again.backed_off_until, queue.backed_off_until);
  EXPECT_EQ(again.temperature.value, queue.temperature.value);
  EXPECT_EQ(again.temperature.as_of, queue.temperature.as_of);
  EXPECT_EQ(again.last_fetch, queue.last_fetch);
  EXPECT_EQ(again.crawl_delay, queue.crawl_delay);
  EXPECT_EQ(again.delay, Millis{0});
  EXPECT_EQ(again.limit, queue.limit);
  EXPECT_EQ(again.failures_in_a_row, queue.failures_in_a_row);
  queue.delay.reset();
  queue.encode(bytes);
  again.decode(bytes);
  EXPECT_EQ(again.delay, std::nullopt);
}

}  // namespace
}  // namespace aduana
