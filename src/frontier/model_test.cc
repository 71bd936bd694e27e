// The real frontier against the naive one under random operations, restarts and power cuts: the same answers.

#include <gtest/gtest.h>

#include <random>

#include "base/simulated_disk.h"
#include "frontier/naive_frontier.h"
#include "frontier/open_frontier.h"

namespace aduana {
namespace {

constexpr const char* kDir = "/crawl";
constexpr Instant kStart{Millis{1'800'000'000'000}};
constexpr int kHosts = 8;
constexpr int kOperations = 35'000;  // for each configuration

// Three crawls, a minute apart.
class ThreeTimes final : public Recrawl {
 public:
  std::optional<Instant> next_visit(const CrawlHistory& page, Instant now) override {
    return page.n_crawls >= 3 ? std::nullopt : std::optional(now + Millis{60'000 * page.n_crawls});
  }
};

struct Configuration {
  const char* name;
  void (*set)(FrontierOptions&);
};

void PrintTo(const Configuration& c, std::ostream* out) { *out << c.name; }

const Configuration kConfigurations[] = {
    {"BestFirstWithoutLimits", [](FrontierOptions& o) { o.politeness = PolitenessOptions::none(); }},
    {"DefaultPoliteness", [](FrontierOptions&) {}},
    {"TemperatureAndRecrawl",
     [](FrontierOptions& o) {
       o.politeness = PolitenessOptions::none();
       o.politeness.soft_rate = 0.05;
       o.politeness.hard_rate = 0.2;
       o.politeness.window = Millis{30'000};
       o.recrawl = std::make_shared<ThreeTimes>();
     }},
    {"BreadthFirstWithBudgets",
     [](FrontierOptions& o) {
       o.order = *order_named("breadth-first");
       o.politeness.min_delay = Millis{250};
       o.politeness.max_in_flight = 3;
       o.limits.max_domain_depth = 4;
       o.limits.max_pages_per_queue = 100;
       o.limits.max_pages_per_crawl = 700;
       o.max_retries = 1;
     }},
    {"OldestFirstWithRecrawl",
     [](FrontierOptions& o) {
       o.order = *order_named("oldest-first");
       o.politeness.max_in_flight = 2;
       o.politeness.min_delay = Millis{100};
       o.politeness.fetch_factor = 3;
       o.recrawl = std::make_shared<ThreeTimes>();
     }},
    {"HostsOnSharedAddresses",
     [](FrontierOptions& o) {
       o.politeness = PolitenessOptions::none();
       o.politeness.min_delay = Millis{100};
       o.politeness.soft_rate = 0.2;
       o.politeness.hard_rate = 1;
       o.politeness.window = Millis{10'000};
       o.per_address.min_delay = Millis{150};
       o.per_address.max_in_flight = 3;
     }},
};

class ModelTest : public ::testing::TestWithParam<Configuration> {
 protected:
  ModelTest() : random_(7) {
    GetParam().set(options_);
    options_.clock = &clock_;
    options_.background = false;
    options_.durability = Durability::always;
    options_.cache_bytes = 1 << 14;
    disk_ = std::make_unique<SimulatedDisk>();
    model_ = std::make_unique<NaiveFrontier>(options_);
    open();
  }

  void open() {
    StoreOptions store = store_options_of(options_);
    store.checkpoint_bytes = 40'000;
    store.retain_journal_bytes = 0;
    store.journal.segment_bytes = 30'000;
    store.pages.index.memtable_entries = 200;
    store.pages.index.fan_in = 3;
    auto opened = open_frontier(*disk_, kDir, options_, store);
    ASSERT_TRUE(opened) << opened.error().message();
    frontier_ = std::move(*opened);
  }

  uint64_t below(uint64_t n) { return random_() % n; }
  Instant now() const { return clock_.now(); }

  std::string random_host() {
    // Two names a domain.
    const uint64_t n = below(kHosts);
    return "h" + std::to_string(n % 2) + ".d" + std::to_string(n / 2) + ".example";
  }
  std::string random_url() {
    std::string url = "http://" + random_host() + "/" + std::to_string(below(150));
    if (below(20) == 0) url += "/a/a/a/a/a";
    return url;
  }
  float random_score() { return static_cast<float>(below(20)) / 20; }
  std::optional<Millis> random_took() {
    return below(2) ? std::nullopt : std::optional(Millis{static_cast<int64_t>(below(2000))});
  }
  NaiveFrontier::Link random_link() {
    return {random_url(), random_score(), static_cast<uint8_t>(below(kMaxPriority + 1))};
  }
  std::string some_leased_url() {
    std::vector<const NaiveFrontier::Page*> leased;
    for (const auto& page : model_->pages()) {
      if (page.state == PageState::leased) leased.push_back(&page);
    }
    return leased.empty() ? random_url() : leased[below(leased.size())]->url;
  }

  void discover() {
    const NaiveFrontier::Link link = random_link();
    const Discovery d{link.url, link.score, {}, link.priority, {}, {}};
    ASSERT_TRUE(frontier_->discover({&d, 1}));
    model_->discover(link, now());
  }

  void report() {
    const std::string url = below(10) ? some_leased_url() : random_url();
    std::vector<NaiveFrontier::Link> links(below(6));
    std::vector<ReportedLink> reported;
    for (auto& link : links) link = random_link();
    for (const auto& link : links) reported.push_back({link.url, link.score, link.priority});
    ReportedPage page;
    page.url = url;
    page.score = random_score();
    page.links = reported;
    page.fetch_time = random_took();
    ASSERT_TRUE(frontier_->report({&page, 1}));
    model_->report(url, page.score, links, page.fetch_time, now());
  }

  void request() {
    const size_t n = below(12);
    RequestOptions options;
    options.lease = Millis{static_cast<int64_t>(1000 + below(60'000))};
    options.per_queue = below(4) ? 0 : 2;
    const auto requests = frontier_->request(n, options);
    ASSERT_TRUE(requests) << requests.error().message();
    std::vector<std::string> urls;
    for (const Request& r : *requests) urls.push_back(r.url);
    ASSERT_EQ(urls, model_->request(n, *options.lease, options.per_queue, now()));
    granted_ += urls.size();
  }

  void fail() {
    const std::string url = below(5) ? some_leased_url() : random_url();
    const auto kind = below(3) == 0 ? FailureKind::temporary : below(2) ? FailureKind::gone : FailureKind::excluded;
    const Failure failure{url, kind, random_took()};
    const auto outcomes = frontier_->fail({&failure, 1});
    ASSERT_TRUE(outcomes);
    ASSERT_EQ(!outcomes->at(0), model_->fail(url, kind, failure.fetch_time, now()));
  }

  void release() {
    const std::string url = below(5) ? some_leased_url() : random_url();
    const PageRef ref{url, {}, {}};
    ASSERT_EQ(!frontier_->release({&ref, 1})->at(0), model_->release(url, now()));
  }

  void control() {
    const std::string host = random_host();
    QueueControl control;
    control.key = host;
    if (below(2)) control.block_until = now() + Millis{static_cast<int64_t>(below(20'000))};
    if (below(3) == 0)
      control.delay = below(2) ? std::optional(Millis{static_cast<int64_t>(below(3000))}) : std::nullopt;
    if (below(3) == 0) control.crawl_delay = Millis{static_cast<int64_t>(below(3000))};
    if (below(10) == 0) control.limit = static_cast<uint32_t>(below(2) * 30);
    if (below(2)) control.address = host[1] == '0' ? "192.0.2.1" : "192.0.2.2";
    ASSERT_EQ(frontier_->control(control).has_value(), model_->control(control, now()));
  }

  void delete_queue() {
    const std::string host = random_host();
    const auto deleted = frontier_->delete_queue(host);
    ASSERT_EQ(deleted ? *deleted : 0, model_->delete_queue(host, now()));
  }

  void restart() {
    if (below(2)) {
      ASSERT_TRUE(frontier_->close());
      frontier_.reset();
    } else {
      constexpr CutPolicy kPolicies[] = {CutPolicy::lose_all, CutPolicy::torn, CutPolicy::reordered};
      auto left = disk_->after_power_cut(kPolicies[below(3)], random_());
      frontier_.reset();
      disk_ = std::move(left);
    }
    open();
  }

  void compare() {
    model_->catch_up(now());
    for (const auto& page : model_->pages()) {
      const auto info = frontier_->page({page.url, {}, {}});
      ASSERT_TRUE(info) << info.error().message();
      ASSERT_EQ(name_of(info->state), std::string(name_of(page.state))) << page.url;
      ASSERT_EQ(info->depth, page.depth) << page.url;
      ASSERT_EQ(info->n_crawls, page.n_crawls) << page.url;
    }
    const auto stats = frontier_->stats();
    ASSERT_TRUE(stats);
    ASSERT_EQ(stats->urls, model_->pages().size());
    for (size_t i = 0; i < kPageStates; ++i) {
      ASSERT_EQ(stats->pages[i], model_->count(static_cast<PageState>(i))) << name_of(static_cast<PageState>(i));
    }
    for (size_t i = 0; i < kRefusalReasons; ++i) {
      ASSERT_EQ(stats->refused[i], model_->refused(static_cast<Refusal>(i))) << name_of(static_cast<Refusal>(i));
    }
    ASSERT_TRUE(frontier_->check([](const std::string& problem) { ADD_FAILURE() << problem; }));
  }

  std::mt19937_64 random_;
  ManualClock clock_{kStart};
  FrontierOptions options_;
  std::unique_ptr<SimulatedDisk> disk_;
  std::unique_ptr<NaiveFrontier> model_;
  std::unique_ptr<Frontier> frontier_;
  uint64_t granted_ = 0;
};

TEST_P(ModelTest, GivesTheSameAnswers) {
  for (int i = 0; i < kOperations; ++i) {
    SCOPED_TRACE(testing::Message() << "operation " << i);
    const uint64_t choice = below(1000);
    if (choice < 150) {
      discover();
    } else if (choice < 450) {
      report();
    } else if (choice < 700) {
      request();
    } else if (choice < 780) {
      fail();
    } else if (choice < 820) {
      release();
    } else if (choice < 840) {
      control();
    } else if (choice < 841) {
      delete_queue();
    } else if (choice < 990) {
      clock_.advance(Millis{static_cast<int64_t>(below(below(10) ? 2000 : 60'000))});
    } else if (choice < 998) {
      restart();
    } else {
      compare();
    }
    if (HasFatalFailure()) return;
  }
  compare();
  EXPECT_GT(granted_, 200u);
  printf("%d operations, %zu pages, %llu granted\n", kOperations, model_->pages().size(),
         static_cast<unsigned long long>(granted_));
}

INSTANTIATE_TEST_SUITE_P(Frontier, ModelTest, ::testing::ValuesIn(kConfigurations),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace aduana
