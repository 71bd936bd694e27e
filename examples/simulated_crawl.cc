// A crawl without a network, through the public interface only: a made-up web, a frontier, and crawlers in threads.
//
//   simulated_crawl [FOLDER] [PAGES]
//
// crawls PAGES pages (20,000 if not given) of a web that is a function of its URLs, shows progress, and ends with a
// summary. With a FOLDER the crawl is kept there and goes on where it ended, however that was; without, it is removed.
// Each page that the frontier has acknowledged is told as `done N` on standard output when that is not a terminal.

#include <aduana/frontier.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

namespace {

constexpr int kHosts = 500;
constexpr int kThreads = 4;
constexpr size_t kBatch = 50;

uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Page n of the web. Small numbers are linked more often, as on the real one.
std::string url_of(uint64_t n) {
  return "http://site" + std::to_string(mixed(n) % kHosts) + ".example/" + (n % kHosts == n ? "" : "page/") +
         std::to_string(n);
}

struct Page {
  std::vector<std::string> urls;
  std::vector<aduana::ReportedLink> links;
  bool fails = false;
};

// What is found at a URL: always the same.
Page fetch(const std::string& url) {
  Page page;
  uint64_t random = mixed(std::hash<std::string>()(url));
  page.fails = random % 50 == 0;
  const uint64_t n = 5 + random % 20;
  for (uint64_t i = 0; i < n; ++i) {
    random = mixed(random + i);
    page.urls.push_back(url_of(random % (uint64_t{1} << (8 + random / 7 % 14))));
  }
  for (const std::string& link : page.urls) {
    page.links.push_back({link, static_cast<float>(mixed(std::hash<std::string>()(link)) % 1000) / 1000});
  }
  return page;
}

[[noreturn]] void give_up(const aduana::Error& error) {
  std::fprintf(stderr, "simulated_crawl: %s\n", error.message().c_str());
  std::exit(2);
}

class Crawl {
 public:
  Crawl(aduana::Frontier& frontier, uint64_t pages) : frontier_(frontier), wanted_(pages) {}

  void seed() {
    std::vector<std::string> urls;
    for (uint64_t n = 0; n < 20; ++n) urls.push_back(url_of(n));
    std::vector<aduana::Discovery> seeds;
    for (const std::string& url : urls) seeds.push_back({.url = url, .score = 1});
    if (const auto done = frontier_.discover(seeds); !done) give_up(done.error());
  }

  void run() {
    std::vector<std::thread> crawlers;
    for (int i = 0; i < kThreads; ++i) crawlers.emplace_back([this] { work(); });
    for (auto& crawler : crawlers) crawler.join();
  }

  uint64_t crawled() const { return crawled_; }
  uint64_t failed() const { return failed_; }

 private:
  void work() {
    while (crawled_ < wanted_) {
      const auto requests = frontier_.request(kBatch);
      if (!requests) give_up(requests.error());
      if (requests->empty()) {
        // All hosts that have something are being left alone for a moment.
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const auto stats = frontier_.stats();
        if (!stats) give_up(stats.error());
        if (stats->count(aduana::PageState::queued) + stats->count(aduana::PageState::leased) == 0) return;
        continue;
      }
      for (const aduana::Request& request : *requests) visit(request);
    }
  }

  void visit(const aduana::Request& request) {
    const Page page = fetch(request.url);
    if (page.fails) {
      const aduana::Failure failure{request.url, aduana::FailureKind::gone};
      if (const auto done = frontier_.fail({&failure, 1}); !done) give_up(done.error());
      ++failed_;
      return;
    }
    aduana::ReportedPage report;
    report.url = request.url;
    report.score = request.score;
    report.links = page.links;
    report.fetch_time = aduana::Millis{1};
    if (const auto done = frontier_.report({&report, 1}); !done) give_up(done.error());
    const uint64_t n = ++crawled_;
    if (!isatty(STDOUT_FILENO)) std::printf("done %llu %s\n", static_cast<unsigned long long>(n), request.url.c_str());
  }

  aduana::Frontier& frontier_;
  const uint64_t wanted_;
  std::atomic<uint64_t> crawled_ = 0, failed_ = 0;
};

void show_progress(aduana::Frontier& frontier, const std::atomic<bool>& stop) {
  while (!stop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const auto stats = frontier.stats();
    if (!stats || !isatty(STDERR_FILENO)) continue;
    std::fprintf(stderr, "\r%llu URLs known, %llu crawled, %llu queued, %llu leased   ",
                 static_cast<unsigned long long>(stats->urls),
                 static_cast<unsigned long long>(stats->count(aduana::PageState::done)),
                 static_cast<unsigned long long>(stats->count(aduana::PageState::queued)),
                 static_cast<unsigned long long>(stats->count(aduana::PageState::leased)));
  }
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const bool keep = argc > 1 && *argv[1];
  const uint64_t pages = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20'000;
  std::string folder = keep ? argv[1] : (std::filesystem::temp_directory_path() / "aduana-XXXXXX").string();
  if (!keep && !mkdtemp(folder.data())) {
    std::perror("simulated_crawl: a temporary folder");
    return 2;
  }
  aduana::FrontierOptions options;
  // Nobody is hurt, and fetching takes no time.
  options.politeness.min_delay = aduana::Millis{5};
  options.politeness.max_in_flight = 4;
  options.lease = aduana::Millis{1000};
  options.durability = keep ? aduana::Durability::always : aduana::Durability::interval;
  auto frontier = aduana::Frontier::open(folder, options);
  if (!frontier) give_up(frontier.error());

  Crawl crawl(**frontier, pages);
  crawl.seed();
  std::atomic<bool> stop = false;
  std::thread progress([&] { show_progress(**frontier, stop); });
  const auto begin = std::chrono::steady_clock::now();
  crawl.run();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  stop = true;
  progress.join();

  const auto stats = (*frontier)->stats();
  if (!stats) give_up(stats.error());
  std::fprintf(stderr,
               "%llu pages crawled and %llu failed in %.1f s, %d crawlers, %llu hosts; %llu URLs known, %llu links\n",
               static_cast<unsigned long long>(crawl.crawled()), static_cast<unsigned long long>(crawl.failed()),
               seconds, kThreads, static_cast<unsigned long long>(stats->queues),
               static_cast<unsigned long long>(stats->urls), static_cast<unsigned long long>(stats->links));
  for (size_t i = 0; i < aduana::kPageStates; ++i) {
    std::fprintf(stderr, "  %-10s%12llu\n", name_of(static_cast<aduana::PageState>(i)),
                 static_cast<unsigned long long>(stats->pages[i]));
  }
  const aduana::Status closed = (*frontier)->close();
  if (!closed) give_up(closed.error());
  frontier->reset();
  if (!keep) std::filesystem::remove_all(folder);
  return 0;
}
