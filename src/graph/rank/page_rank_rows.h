// PageRank pulled over a graph of in-links: each page gathers what the pages that link to it pass on.
//
// One thread goes through the pages in order and uses new values at once (Gauss–Seidel). Several do so within and
// between their chunks of pages: whether a page reads a neighbour's old or new value is then up to chance, and either
// way the values approach the same solution.
#pragma once

#include <atomic>

#include "graph/rank/page_rank_method.h"
#include "graph/rank/row_sweep.h"

namespace aduana {

template <RowGraph G>
class PageRankOnRows final : public PageRankMethod {
 public:
  PageRankOnRows(const G& in_links, unsigned threads) : in_links_(in_links), threads_(threads) {}

  Status add_target_scores(const ContentScores& scores, std::span<double> all, std::span<double> own) override {
    return in_links_.for_each_row(0, in_links_.nodes(), [&](Node page, auto sources) {
      const double score = scores.of(page);
      for (const Node source : sources) {
        all[source] += score;
        if (source == page) own[page] += score;
      }
    });
  }

  Result<PageRankSweep> sweep(PageRankState& state) override {
    float* const passed = state.passed.begin();
    if (threads_ <= 1) {
      return sweep(
          state, [passed](Node page) { return passed[page]; },
          [passed](Node page, float value) { passed[page] = value; });
    }
    // Relaxed: each float stands for itself. Not used by a single thread because compilers take them through an integer
    // register.
    return sweep(
        state, [passed](Node page) { return std::atomic_ref(passed[page]).load(std::memory_order_relaxed); },
        [passed](Node page, float value) { std::atomic_ref(passed[page]).store(value, std::memory_order_relaxed); });
  }

 private:
  template <class Load, class Store>
  Result<PageRankSweep> sweep(PageRankState& state, Load load, Store store) {
    return sweep_rows<PageRankSweep>(in_links_, state.values.size(), threads_,
                                     [&state, load, store](auto& part, Node page, auto sources) {
                                       const double own = state.gain[page] > 1 ? load(page) : 0;
                                       const float change = state.set(page, sum_over(sources, load) - own);
                                       part.add(change, state.values[page], state.share[page]);
                                       store(page, state.values[page] * state.share[page]);
                                     });
  }

  const G& in_links_;
  const unsigned threads_;
};

}  // namespace aduana
