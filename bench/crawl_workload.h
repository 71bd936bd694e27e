// What a crawler reports, invented: an endless crawl of a made-up web, the same for the same options and seed.
//
// A page report is the crawled page with its links. The page is one of the known pages, nearly always one that was not
// crawled before, popular ones first. Of its links a fraction is new; the others are known: half of them pages of its
// own host, half popular pages of any host (the logarithm of the rank is uniform, the earliest found being the most
// popular). Host sizes are skewed in the same way. A few links are written in another form than the canonical one.
//
// The generator keeps 8 bytes and 1 bit a URL. The number of URLs that a store must know after a report is known().
// Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "random.h"
#include "store_adapter.h"
#include "url_text.h"

namespace aduana::bench {

struct CrawlOptions {
  uint64_t links = 40;         // a page, on average
  double new_fraction = 0.30;  // of the links
  double disguised = 0.03;     // of the links: not in canonical form
  double recrawled = 0.03;     // of the pages: crawled before
  uint64_t hosts = 10'000;
  uint64_t expected_urls = 0;  // reserved for, no limit
  uint64_t seed = 1;
};

// The pages of one report, with all that they point to. Reused from report to report.
class CrawlBatch {
 public:
  std::span<const BenchPage> pages() const { return pages_; }
  uint64_t links() const { return links_.size(); }

 private:
  friend class CrawlWorkload;

  std::vector<BenchPage> pages_;
  std::vector<BenchLink> links_;
  std::unique_ptr<char[]> text_;
  size_t text_room_ = 0;
};

class CrawlWorkload {
 public:
  explicit CrawlWorkload(const CrawlOptions& options);

  // Replaces the content of `batch` by the next `pages` page reports.
  void generate(size_t pages, CrawlBatch& batch);
  // The same for pages that somebody else chose, by the order of their discovery.
  void generate_for(std::span<const uint64_t> numbers, CrawlBatch& batch);

  uint64_t known() const { return known_.size(); }
  // The URL that was found as the n-th, n < known().
  UrlId found(uint64_t n) const { return known_[n]; }

 private:
  void generate(size_t pages, CrawlBatch& batch, const std::function<UrlId(size_t)>& page_of);
  UrlId pick_page();
  UrlId pick_link(UrlId page);
  UrlId discover(uint64_t host);
  uint64_t most_links() const { return options_.links + options_.links / 2; }

  CrawlOptions options_;
  Random random_;
  std::vector<UrlId> known_;         // in order of discovery
  std::vector<bool> crawled_;        // by the same number
  std::vector<uint64_t> host_size_;  // pages 0 to size − 1 of the host are known
  int64_t time_ms_ = 1'420'070'400'000;
};

}  // namespace aduana::bench
