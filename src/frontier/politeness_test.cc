// No limit is ever exceeded: a recorder sees every request and every confirmation from the outside, while many threads
// request, report and fail.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "base/simulated_disk.h"
#include "frontier/open_frontier.h"

namespace aduana {
namespace {

constexpr Instant kStart{Millis{1'800'000'000'000}};
constexpr Millis kLease{3'600'000};

// Hosts stand on four addresses.
std::string address_of(const std::string& host) {
  return "192.0.2." + std::to_string(std::hash<std::string>()(host) % 4);
}

// What hosts and addresses see: the requests made to them, and when the crawler was done with each.
class Recorder {
 public:
  void granted(const Request& request) {
    std::lock_guard lock(mutex_);
    for (const std::string& seen_by : {request.queue, address_of(request.queue)}) {
      visits_[seen_by].push_back({request.lease_end - kLease, Instant::max()});
      open_[request.url + seen_by] = visits_[seen_by].size() - 1;
    }
  }
  // To be called before the frontier is told.
  void finished(const Request& request, Instant now) {
    std::lock_guard lock(mutex_);
    for (const std::string& seen_by : {request.queue, address_of(request.queue)}) {
      visits_[seen_by][open_.at(request.url + seen_by)].end = now;
    }
  }

  void expect_polite(const PolitenessOptions& to_hosts, const AddressLimits& to_addresses) const {
    for (const auto& [host, unsorted] : visits_) {
      PolitenessOptions options = to_hosts;
      if (host.starts_with("192.")) {
        options = PolitenessOptions::none();
        options.min_delay = to_addresses.min_delay;
        options.max_in_flight = to_addresses.max_in_flight;
      }
      auto visits = unsorted;
      std::sort(visits.begin(), visits.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
      double temperature = 0;
      for (size_t i = 0; i < visits.size(); ++i) {
        if (i > 0) {
          ASSERT_GE(visits[i].begin - visits[i - 1].begin, options.min_delay) << host;
          const auto gap = static_cast<double>((visits[i].begin - visits[i - 1].begin).count());
          temperature *= std::exp(-gap / static_cast<double>(options.window.count()));
        }
        if (options.hard_rate > 0) {
          const double limit = options.hard_rate * static_cast<double>(options.window.count()) / 1000;
          ASSERT_LE(temperature, limit * (1 + 1e-9)) << host;
        }
        temperature += 1;
        if (options.max_in_flight == 0) continue;
        uint32_t in_flight = 0;
        for (size_t j = 0; j <= i; ++j) in_flight += visits[j].end > visits[i].begin;
        ASSERT_LE(in_flight, options.max_in_flight) << host;
      }
    }
  }
  size_t seen() const { return visits_.size(); }

 private:
  struct Visit {
    Instant begin, end;
  };
  std::mutex mutex_;
  std::map<std::string, std::vector<Visit>> visits_;
  std::map<std::string, size_t> open_;  // by URL and who saw it: its visit
};

void crawl_with_threads(const PolitenessOptions& politeness, const AddressLimits& per_address = {}) {
  SimulatedDisk disk;
  ManualClock clock{kStart};
  FrontierOptions options;
  options.clock = &clock;
  options.politeness = politeness;
  options.per_address = per_address;
  options.lease = kLease;
  StoreOptions store = store_options_of(options);
  store.pages.index.memtable_entries = 500;
  auto frontier = std::move(*open_frontier(disk, "/crawl", options, store));
  constexpr int kThreads = 8, kHosts = 20, kRounds = 400;
  for (int host = 0; host < kHosts; ++host) {
    const std::string name = "host" + std::to_string(host) + ".example";
    const std::string url = "http://" + name + "/";
    const std::string address = address_of(name);
    const Discovery seed{.url = url};
    ASSERT_TRUE(frontier->discover({&seed, 1}));
    QueueControl control;
    control.key = name;
    control.address = address;
    ASSERT_TRUE(frontier->control(control));
  }
  Recorder recorder;
  std::atomic<uint64_t> granted = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(static_cast<uint64_t>(t));
      std::vector<Request> in_hand;
      for (int round = 0; round < kRounds; ++round) {
        clock.advance(Millis{static_cast<int64_t>(random() % 20)});
        auto requests = frontier->request(random() % 30);
        ASSERT_TRUE(requests) << requests.error().message();
        granted += requests->size();
        for (Request& request : *requests) {
          recorder.granted(request);
          in_hand.push_back(std::move(request));
        }
        while (in_hand.size() > random() % 4) {
          const Request request = in_hand.back();
          in_hand.pop_back();
          recorder.finished(request, clock.now());
          if (random() % 10 == 0) {
            const Failure failure{request.url, FailureKind::gone};
            ASSERT_FALSE(frontier->fail({&failure, 1})->at(0));
            continue;
          }
          std::vector<std::string> urls;
          for (int i = 0; i < 5; ++i) {
            urls.push_back("http://host" + std::to_string(random() % kHosts) + ".example/" +
                           std::to_string(random() % 100'000));
          }
          std::vector<ReportedLink> links;
          for (const auto& url : urls) links.push_back({url, static_cast<float>(random() % 100), kDefaultPriority});
          ReportedPage page;
          page.url = request.url;
          page.links = links;
          ASSERT_TRUE(frontier->report({&page, 1}));
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_GT(granted, 500u);
  EXPECT_EQ(recorder.seen(), kHosts + 4u);
  recorder.expect_polite(politeness, per_address);
  EXPECT_TRUE(frontier->check([](const std::string& problem) { ADD_FAILURE() << problem; }));
  EXPECT_TRUE(frontier->close());
}

TEST(Politeness, DelayAndOneInFlightHoldWithEightThreads) {
  PolitenessOptions politeness = PolitenessOptions::none();
  politeness.min_delay = Millis{100};
  politeness.max_in_flight = 1;
  crawl_with_threads(politeness);
}

TEST(Politeness, SeveralInFlightHoldWithEightThreads) {
  PolitenessOptions politeness = PolitenessOptions::none();
  politeness.max_in_flight = 3;
  crawl_with_threads(politeness);
}

TEST(Politeness, TheHardLimitHoldsWithEightThreads) {
  PolitenessOptions politeness = PolitenessOptions::none();
  politeness.soft_rate = 0.5;
  politeness.hard_rate = 4;
  politeness.window = Millis{5000};
  crawl_with_threads(politeness);
}

TEST(Politeness, LimitsOfAddressesHoldWithEightThreads) {
  PolitenessOptions politeness = PolitenessOptions::none();
  politeness.max_in_flight = 2;
  AddressLimits per_address;
  per_address.min_delay = Millis{40};
  per_address.max_in_flight = 3;
  crawl_with_threads(politeness, per_address);
}

}  // namespace
}  // namespace aduana
