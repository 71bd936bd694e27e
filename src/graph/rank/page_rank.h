// PageRank: how often somebody who follows links at random, and every now and then jumps to any page, is on each page.
//
// With content scores a link is followed in proportion to the score of the page it leads to, and jumps go by score too;
// without, or when all are 0, every link and page is alike. From a page whose links lead nowhere (it has none, or all
// lead to pages of score 0) the next step is a jump. What is no score counts as 0 (content_scores.h). Values are finite
// and sum to 1 whatever the input.
//
// Used by one thread, which may have the work done by several.
#pragma once

#include "graph/edges/link_source.h"
#include "graph/rank/content_scores.h"
#include "graph/rank/convergence.h"
#include "graph/rank/page_rank_links.h"
#include "graph/rank/page_rank_rows.h"
#include "graph/rank/score_arrays.h"

namespace aduana {

struct PageRankOptions {
  double damping = 0.85;  // probability of following a link rather than jumping; 0 up to, but not, 1
  LoopOptions loops = {};
};

class PageRank {
 public:
  static Result<PageRank> open(uint64_t n_pages, const ScoreFiles& files = {});

  // Room for pages without a known link too: every page has a share of the jumps.
  uint64_t n_pages() const { return scores_.size(); }
  Status set_n_pages(uint64_t n_pages) { return scores_.resize(n_pages); }
  void set_persist(bool persist) { scores_.set_persist(persist); }

  // From a graph of in-links, Gauss–Seidel: a page's new value is used at once, which halves the number of loops. The
  // number of pages grows to that of the graph. After an error the last values stand, as old and new.
  template <RowGraph G>
  Result<Convergence> compute(const G& in_links, std::span<const float> content_scores = {},
                              const PageRankOptions& options = {}) {
    if (in_links.nodes() > n_pages()) ADUANA_TRY(set_n_pages(in_links.nodes()));
    PageRankOnRows<G> method(in_links, options.loops.threads);
    return compute(method, content_scores, options);
  }

  // From links in any order, which are read once a loop and once before: sequential access to the links, random access
  // to 12 bytes a page. A link counts as often as it comes. No page of it may lie beyond n_pages(). Works on one
  // thread.
  Result<Convergence> compute(LinkSource& links, std::span<const float> content_scores = {},
                              const PageRankOptions& options = {});

  // Values of the last compute() and of the one before; 0 where there is none. Code::invalid beyond n_pages().
  Result<OldAndNew> get(Node page) const { return scores_.get(page); }
  std::span<const float> values_until_resize() { return scores_.new_values(); }

 private:
  explicit PageRank(ScoreArrays scores) : scores_(std::move(scores)) {}

  Result<Convergence> compute(PageRankMethod& method, std::span<const float> content_scores,
                              const PageRankOptions& options);

  ScoreArrays scores_;
};

}  // namespace aduana
