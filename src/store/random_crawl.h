// A small random crawl for tests: reports and discoveries that hit the same pages again and again. The same seed gives
// the same crawl.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "store/naive_store.h"
#include "store/store.h"

namespace aduana {

class RandomCrawl {
 public:
  RandomCrawl(uint64_t seed, int hosts, int pages_per_host)
      : random_(seed), hosts_(hosts), pages_per_host_(pages_per_host) {}

  // All times of crawls are by so much later, and no report is sent twice.
  void delay(Millis by) {
    time_ += by.count();
    repeats_ = false;
  }

  // The next event, good until the one after it.
  struct Step {
    bool is_report = true;
    ReportedPage page;
    Discovery discovery;
  };
  const Step& next() {
    links_.clear();
    urls_.clear();
    urls_.reserve(16);
    step_.is_report = below(20) != 0;
    const bool again =
        step_.is_report && below(30) == 0 && repeats_ && !last_url_.empty();  // a report that is sent twice
    if (!again) time_ += 1 + below(5000);
    const std::string& url = again ? urls_.emplace_back(last_url_) : add_url();
    if (step_.is_report) last_url_ = url;
    if (!step_.is_report) {
      metadata_ = "found at " + std::to_string(time_);
      step_.discovery = {url, static_cast<float>(below(100)) / 100, metadata_};
      return step_;
    }
    const int n = below(10) == 0 ? 0 : below(8);
    for (int i = 0; i < n; ++i) links_.push_back({add_url(), static_cast<float>(below(1000)) / 1000});
    hash_ = below(3) == 0 ? std::string(static_cast<size_t>(below(40)), static_cast<char>('a' + below(26)))
                          : "h" + std::to_string(below(3));
    metadata_ = std::string(static_cast<size_t>(below(50)), static_cast<char>('A' + below(26)));
    step_.page = {url, static_cast<float>(below(1000)) / 1000, Instant{Millis{time_}}, hash_, links_, std::nullopt};
    if (below(4) == 0) step_.page.metadata = metadata_;
    return step_;
  }

  static void apply(const Step& step, NaiveStore& store) {
    step.is_report ? store.report(step.page) : store.discover(step.discovery);
  }
  static Status apply(const Step& step, Store& store) {
    if (!step.is_report) {
      ADUANA_ASSIGN(const auto result, store.discover({&step.discovery, 1}));
      return result.errors[0] ? Status(*result.errors[0]) : Status{};
    }
    ADUANA_ASSIGN(const auto result, store.report({&step.page, 1}));
    return result.pages[0].error ? Status(*result.pages[0].error) : Status{};
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  const std::string& add_url() {
    const int host = below(hosts_);
    const char* scheme = host % 3 ? "https" : "http";
    const char* port = host % 5 == 4 ? ":8080" : "";
    urls_.push_back(std::string(scheme) + "://host" + std::to_string(host) + ".example" + port + "/section/" +
                    std::to_string(below(pages_per_host_)) + ".html");
    return urls_.back();
  }

  std::mt19937_64 random_;
  int hosts_, pages_per_host_;
  int64_t time_ = 1'400'000'000'000;
  bool repeats_ = true;
  Step step_;
  std::vector<std::string> urls_;
  std::vector<ReportedLink> links_;
  std::string hash_, metadata_, last_url_;
};

}  // namespace aduana
