#include "graph/rank/page_rank_links.h"

#include "graph/edges/read_links.h"

namespace aduana {

Status PageRankOnLinks::add_target_scores(const ContentScores& scores, std::span<double> all, std::span<double> own) {
  return for_each_link(links_, all.size(), [&](Node from, Node to) {
    all[from] += scores.of(to);
    if (from == to) own[from] += scores.of(to);
  });
}

Result<PageRankSweep> PageRankOnLinks::sweep(PageRankState& state) {
  ADUANA_TRY(for_each_link(links_, state.values.size(), [&](Node from, Node to) {
    if (from != to) gathered_[to] += state.passed[from];
  }));
  PageRankSweep sweep;
  for (Node page = 0; page < state.values.size(); ++page) {
    const float change = state.set(page, gathered_[page]);
    sweep.add(change, state.values[page], state.share[page]);
    state.passed[page] = state.values[page] * state.share[page];
    gathered_[page] = 0;
  }
  return sweep;
}

}  // namespace aduana
