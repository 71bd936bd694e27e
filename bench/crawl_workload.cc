#include "crawl_workload.h"

#include <algorithm>

#include "base/bytes.h"

namespace aduana::bench {
namespace {

constexpr size_t kContentHashBytes = 8;
constexpr int kTries = 16;                // to find a page that was not crawled before
constexpr double kPopularPages = 0.30;    // of the crawled pages; the others are uniform over all known ones
constexpr double kNewOnOwnHost = 0.50;    // of the new links
constexpr double kKnownOnOwnHost = 0.50;  // of the known links
constexpr int64_t kMillisPerPage = 5;

}  // namespace

CrawlWorkload::CrawlWorkload(const CrawlOptions& options)
    : options_(options), random_(options.seed), host_size_(options.hosts) {
  known_.reserve(options.expected_urls);
  crawled_.reserve(options.expected_urls);
}

UrlId CrawlWorkload::discover(uint64_t host) {
  const UrlId id(host, host_size_[host]++);
  known_.push_back(id);
  crawled_.push_back(false);
  return id;
}

UrlId CrawlWorkload::pick_page() {
  if (known_.empty()) {
    const UrlId seed = discover(0);
    crawled_[0] = true;
    return seed;
  }
  const bool again = random_.chance(options_.recrawled);
  uint64_t n = 0;
  for (int tries = 0; tries < kTries; ++tries) {
    n = random_.chance(kPopularPages) ? random_.log_uniform(known_.size()) : random_.below(known_.size());
    if (crawled_[n] == again) break;
  }
  crawled_[n] = true;
  return known_[n];
}

UrlId CrawlWorkload::pick_link(UrlId page) {
  if (random_.chance(options_.new_fraction))
    return discover(random_.chance(kNewOnOwnHost) ? page.host() : random_.log_uniform(options_.hosts));
  if (random_.chance(kKnownOnOwnHost)) return UrlId(page.host(), random_.below(host_size_[page.host()]));
  return known_[random_.log_uniform(known_.size())];
}

void CrawlWorkload::generate(size_t pages, CrawlBatch& batch) {
  generate(pages, batch, [&](size_t) { return pick_page(); });
}

void CrawlWorkload::generate_for(std::span<const uint64_t> numbers, CrawlBatch& batch) {
  generate(numbers.size(), batch, [&](size_t i) { return known_[numbers[i]]; });
}

void CrawlWorkload::generate(size_t pages, CrawlBatch& batch, const std::function<UrlId(size_t)>& page_of) {
  const size_t room = pages * ((most_links() + 1) * kLongestUrlText + kContentHashBytes);
  if (batch.text_room_ < room) {
    batch.text_ = std::make_unique<char[]>(room);
    batch.text_room_ = room;
  }
  batch.pages_.clear();
  batch.links_.clear();
  batch.links_.reserve(pages * most_links());  // spans into it must hold

  char* out = batch.text_.get();
  auto written = [&out](char* end) {
    std::string_view text(out, static_cast<size_t>(end - out));
    out = end;
    return text;
  };
  for (size_t p = 0; p < pages; ++p) {
    const UrlId page = page_of(p);
    BenchPage report;
    report.url = written(write_url(page, out));
    report.time_ms = time_ms_ += kMillisPerPage;
    report.score = static_cast<float>(random_.unit());
    // One page in four has the same content whenever it is crawled.
    const uint64_t content = mix(page.value() ^ (page.value() % 4 == 0 ? 0 : static_cast<uint64_t>(time_ms_)));
    store_be(out, content);
    report.content_hash = written(out + kContentHashBytes);

    const size_t first = batch.links_.size();
    const uint64_t count = options_.links / 2 + random_.below(options_.links + 1);
    for (uint64_t l = 0; l < count; ++l) {
      const UrlId link = pick_link(page);
      char* end =
          random_.chance(options_.disguised) ? write_disguised_url(link, random_.next(), out) : write_url(link, out);
      batch.links_.push_back({written(end), static_cast<float>(random_.unit())});
    }
    report.links = std::span(batch.links_).subspan(first);
    batch.pages_.push_back(report);
  }
}

}  // namespace aduana::bench
