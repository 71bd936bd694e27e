#include "threaded_crawl.h"

#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "aduana/frontier.h"
#include "interrupt.h"
#include "random.h"
#include "stopwatch.h"

namespace aduana::bench {
namespace {

class ThreadedCrawl {
 public:
  ThreadedCrawl(const ThreadedOptions& options, Frontier& frontier) : options_(options), frontier_(frontier) {}

  Result<double> run() {
    const std::string url = url_of(next_++);
    const Discovery seed{.url = url};
    ADUANA_TRY(frontier_.discover({&seed, 1}));
    const Stopwatch wall;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < options_.threads; ++t) {
      threads.emplace_back([this, t] {
        if (Status done = work(t); !done) stop_with(done.error());
      });
    }
    for (std::thread& thread : threads) thread.join();
    if (error_) return *error_;
    return static_cast<double>(pages_) / wall.seconds();
  }

 private:
  // The host of a page depends on its number alone, and hosts are of uneven size.
  std::string url_of(uint64_t number) const {
    const uint64_t host = Random(number).log_uniform(options_.hosts);
    return fmt::format("http://host{}.example/section{}/page{}", host, mix(number) % 100, number);
  }

  Status work(unsigned thread) {
    Random random(thread + 1);
    std::vector<ReportedPage> pages;
    std::vector<ReportedLink> links;
    std::deque<std::string> urls;  // which must not move
    while (next_ < options_.urls && !stopped_ && !interrupted()) {
      ADUANA_ASSIGN(const auto requests, frontier_.request(options_.batch));
      urls.clear();
      links.clear();
      links.reserve(requests.size() * options_.links);
      pages.clear();
      for (const Request& request : requests) {
        const size_t first = links.size();
        for (uint64_t i = 0; i < options_.links; ++i) {
          const bool is_new = random.chance(options_.new_fraction);
          urls.push_back(url_of(is_new ? next_++ : random.log_uniform(next_)));
          links.push_back({urls.back(), static_cast<float>(random.unit()), kDefaultPriority});
        }
        ReportedPage page;
        page.url = request.url;
        page.score = request.score;
        page.links = std::span<const ReportedLink>(links).subspan(first);
        pages.push_back(page);
      }
      ADUANA_TRY(frontier_.report(pages));
      pages_ += pages.size();
    }
    return interrupted() ? Status(interruption()) : Status{};
  }

  void stop_with(const Error& error) {
    std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    stopped_ = true;
  }

  const ThreadedOptions& options_;
  Frontier& frontier_;
  std::atomic<uint64_t> next_ = 0, pages_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::optional<Error> error_;
};

}  // namespace

Result<double> crawl_with_threads(const ThreadedOptions& options, const std::string& dir) {
  FrontierOptions frontier_options;
  frontier_options.politeness = PolitenessOptions::none();
  frontier_options.cache_bytes = options.cache_bytes;
  ADUANA_ASSIGN(const auto frontier, Frontier::open(dir, frontier_options));
  ADUANA_ASSIGN(const double pages_per_s, ThreadedCrawl(options, *frontier).run());
  ADUANA_TRY(frontier->close());
  return pages_per_s;
}

}  // namespace aduana::bench
