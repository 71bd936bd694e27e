// What is known of the web at one moment: the crawled pages, in the order of their first crawl, with their links; and
// of every page which crawled page showed it first.
//
// In memory if that is not more than allowed, else read from the store at every walk. Used by one thread.
#pragma once

#include <span>
#include <vector>

#include "score/scorer.h"

namespace aduana {

class CrawledGraph {
 public:
  static constexpr uint32_t kNobody = UINT32_MAX;

  static Result<CrawledGraph> read(ScoreInput& input, uint64_t most_bytes);

  uint64_t pages() const { return discoverers_.size(); }
  uint64_t rows() const { return crawled_.size(); }
  uint64_t page_of(uint64_t row) const { return crawled_[row]; }
  // The row of the page that showed this one first; kNobody: no link led to it.
  uint32_t discoverer(uint64_t page) const { return discoverers_[page]; }
  // Among those that its discoverer showed first: 0, 1, 2, …
  uint32_t place_among_siblings(uint64_t page) const { return places_[page]; }

  // visit(row, page, links): `links` is a span of numbers of pages.
  template <class Visit>
  Status for_each_row(const Visit& visit) {
    if (in_memory_) {
      for (uint64_t row = 0; row < rows(); ++row) {
        const uint64_t begin = row ? ends_[row - 1] : 0;
        visit(row, page_of(row), std::span(links_).subspan(begin, ends_[row] - begin));
      }
      return {};
    }
    stream_.reset();
    std::vector<uint64_t> links;
    for (uint64_t row = 0; row < rows(); ++row) {
      ADUANA_ASSIGN(const auto next, stream_.next_crawled());
      if (!next) return Error(Code::corrupt, "the store has fewer crawled pages than before");
      links.clear();
      for (const PageIdx link : next->to) links.push_back(link.value);
      visit(row, page_of(row), std::span<const uint64_t>(links));
    }
    return {};
  }

 private:
  explicit CrawledGraph(LinkStream stream) : stream_(std::move(stream)) {}

  LinkStream stream_;
  bool in_memory_ = true;
  std::vector<uint64_t> crawled_;  // the page of each row
  std::vector<uint64_t> ends_;     // of each row in `links_`
  std::vector<uint32_t> links_;
  std::vector<uint32_t> discoverers_, places_;
};

}  // namespace aduana
