// CrawlCurve: how much of the final PageRank a crawl has collected after each page. It is a line through these points,
// beginning at (0, 0); in between, values lie on the straight line from one to the next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace aduana {

class CrawlCurve {
 public:
  // The next page, which has this share of all PageRank. (Rounding must not make more of it than there is.)
  void add(double share) { after_.push_back(std::min(after_.back() + share, 1.0)); }

  uint64_t pages() const { return after_.size() - 1; }
  double after(uint64_t pages) const { return after_[pages]; }
  double end() const { return after_.back(); }
  // At x from 0, no page, to 1, all pages of the crawl.
  double at(double x) const;
  // Its mean, that is the area under it with x from 0 to 1.
  double area() const;

 private:
  std::vector<double> after_ = {0};
};

// Up to `most` numbers of pages, evenly from the first to the last.
std::vector<uint64_t> evenly(uint64_t pages, uint64_t most);

// Where an area lies between that of breadth first (0) and that of an order that knows the final PageRank (1).
struct ScoreScale {
  double breadth_first = 0, omniscient = 0;

  double of(double area) const { return (area - breadth_first) / (omniscient - breadth_first); }
};

}  // namespace aduana
