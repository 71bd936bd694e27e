// How good a page is, said by the links to it: scorers, which steer the crawl while it runs.
//
// A scorer gives every page a score from 0 to 1. The order of pages in queues (order.h) goes by it instead of by what
// was reported with the link, and pages move when it changes by more than a tenth.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "aduana/result.h"
#include "aduana/time.h"

namespace aduana {

enum class ScorerKind : uint8_t {
  content = 0,    // as reported: the score of the link that showed the page
  opic = 1,       // cash that crawled pages hand on to what they link
  page_rank = 2,  // computed anew every now and then
  hits = 3,       // the authorities of HITS, likewise
  blend = 4,      // what we recommend for crawling: see docs/crawl-order.md
};
const char* name_of(ScorerKind kind);
Result<ScorerKind> scorer_named(std::string_view name);  // "content", "opic", "page-rank", "hits" or "blend"

struct ScoringOptions {
  ScorerKind scorer = ScorerKind::content;
  bool use_content_scores = false;  // links count by the content score of the page behind them
  double damping = 0.85;            // of PageRank and what is made of it

  // Scores are computed anew when so many pages were crawled since the last time, and this share of all that were; or,
  // if there is an interval, whenever that is over.
  uint64_t update_pages = 100;
  double update_share = 0.01;
  Millis update_interval{0};  // 0: by the thresholds

  double precision = 1e-2;   // largest change of a page's score in a loop, in average scores
  uint64_t max_loops = 100;  // reported when they were not enough; the scores are used all the same
  unsigned threads = 1;
  uint64_t graph_bytes = uint64_t{2} << 30;  // a graph that takes more memory is read from the disk in every loop

  Status check() const;
};

// What the scorer is doing.
struct ScoringStatus {
  ScorerKind scorer = ScorerKind::content;
  uint64_t updates = 0;  // that were finished
  uint64_t loops = 0;    // of the last one
  double change = 0;     // in its last loop, in average scores
  bool reached = true;   // the precision
  Millis took{0};        // computing it
  uint64_t moved = 0;    // pages that were put elsewhere in their queues because their scores changed, so far
  std::string failure;   // why the last one could not be finished; empty: it was
};

struct PageScore {
  float before = 0;  // the last update
  float now = 0;     // since then
};

}  // namespace aduana
