#include "simulation.h"

#include <chrono>
#include <numeric>

#include "aduana/frontier.h"
#include "scratch_folder.h"

namespace aduana {
namespace {

constexpr Instant kStart{std::chrono::sys_days(std::chrono::year(2000) / 1 / 1)};

FrontierOptions frontier_options(ScorerKind scorer, const Clock& clock) {
  FrontierOptions options;
  options.durability = Durability::none;
  options.limits = {.max_url_length = 0, .max_repeated_segments = 0};
  options.politeness = PolitenessOptions::none();
  options.scoring.scorer = scorer;
  options.clock = &clock;
  options.background = false;
  return options;
}

struct LinkScore {
  const std::vector<float> by_page;  // empty: 0

  float of(Node page) const { return by_page.empty() ? 0 : by_page[page]; }
};

// Pages with their links, as the frontier wants to be told of them. The views are good until the next clear().
class PagesToReport {
 public:
  PagesToReport(const SimulatedWeb& web, const LinkScore& scores) : web_(web), scores_(scores) {}

  void clear() {
    text_.clear();
    ends_.clear();
    pages_.clear();
  }
  void add(Node page) {
    pages_.push_back(page);
    add_url(page);
    for (const uint32_t target : web_.links.row(page)) add_url(target);
  }

  std::span<const ReportedPage> reports() {
    links_.clear();
    reports_.clear();
    links_.reserve(ends_.size());  // so that they stay where they are
    size_t url = 0;
    for (const Node page : pages_) {
      ReportedPage report;
      report.url = url_of(url++);
      const size_t first = links_.size();
      for (const uint32_t target : web_.links.row(page)) {
        links_.push_back({.url = url_of(url++), .score = scores_.of(target)});
      }
      report.links = std::span(links_).subspan(first);
      reports_.push_back(report);
    }
    return reports_;
  }

 private:
  void add_url(Node page) {
    web_.urls.append(text_, page);
    ends_.push_back(text_.size());
  }
  std::string_view url_of(size_t i) const {
    const size_t begin = i ? ends_[i - 1] : 0;
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }

  const SimulatedWeb& web_;
  const LinkScore& scores_;
  std::string text_;  // of all URLs, one after the other
  std::vector<size_t> ends_;
  std::vector<Node> pages_;
  std::vector<ReportedLink> links_;
  std::vector<ReportedPage> reports_;
};

Result<uint64_t> discover(Frontier& frontier, const SimulatedWeb& web, std::span<const Node> seeds,
                          const LinkScore& scores) {
  uint64_t known = 0;
  for (const Node seed : seeds) {
    std::string url;
    web.urls.append(url, seed);
    const Discovery discovery{.url = url, .score = scores.of(seed)};
    ADUANA_ASSIGN(const auto found, frontier.discover({&discovery, 1}));
    if (found.errors[0]) return *found.errors[0];
    known += found.new_urls;
  }
  return known;
}

Result<uint64_t> report(Frontier& frontier, PagesToReport& batch) {
  ADUANA_ASSIGN(const auto result, frontier.report(batch.reports()));
  for (const PageOutcome& page : result.pages) {
    if (page.error) return *page.error;
    if (!page.refused.empty()) return page.refused.front().error;
  }
  return result.new_urls;
}

}  // namespace

Result<SimulatedCrawl> simulate(const SimulatedWeb& web, std::span<const Node> seeds, const CrawlPolicy& policy,
                                const SimulationOptions& options) {
  ADUANA_ASSIGN(const ScratchFolder folder, ScratchFolder::make(options.scratch));
  const ManualClock clock(kStart);
  ADUANA_ASSIGN(const auto frontier, Frontier::open(folder.path(), frontier_options(policy.scorer, clock)));
  const LinkScore scores{score_links(policy.link_scores, web.page_ranks)};
  const double total = std::accumulate(web.page_ranks.begin(), web.page_ranks.end(), 0.0);

  SimulatedCrawl crawl;
  PagesToReport batch(web, scores);
  const auto began = std::chrono::steady_clock::now();
  ADUANA_ASSIGN(uint64_t known, discover(*frontier, web, seeds, scores));
  while (options.progress(crawl.curve.pages(), known)) {
    ADUANA_ASSIGN(const auto requests, frontier->request(options.batch));
    if (requests.empty()) break;
    batch.clear();
    for (const Request& request : requests) {
      const Node page = PageUrls::page_of(request.url);
      batch.add(page);
      crawl.curve.add(web.page_ranks[page] / total);
    }
    ADUANA_ASSIGN(const uint64_t new_urls, report(*frontier, batch));
    known += new_urls;
  }
  crawl.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return crawl;
}

}  // namespace aduana
