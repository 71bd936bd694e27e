#include "graph/rank/page_rank.h"

#include "graph/rank/start_values.h"

namespace aduana {
namespace {

Status weigh_links(PageRankMethod& method, const ContentScores& scores, double damping, PageRankState& state) {
  const uint64_t n = state.values.size();
  ZeroedArray<double> all(n), own(n);
  ADUANA_TRY(method.add_target_scores(scores, {all.begin(), n}, {own.begin(), n}));
  for (Node page = 0; page < n; ++page) {
    const double share = all[page] > 0 ? damping / all[page] : 0;
    state.share[page] = static_cast<float>(share);
    const double own_share = std::min(own[page] * share, damping);  // else a damping next to 1 could round up to it
    state.gain[page] = static_cast<float>(1 / (1 - own_share));
  }
  return {};
}

// What is held before the first loop.
PageRankSweep start(PageRankState& state, bool warm) {
  make_start(state.values, warm, 1.0 / static_cast<double>(state.values.size()));
  PageRankSweep held;
  for (Node page = 0; page < state.values.size(); ++page) {
    held.add(0, state.values[page], state.share[page]);
    state.passed[page] = state.values[page] * state.share[page];
  }
  return held;
}

Result<Convergence> iterate(PageRankMethod& method, PageRankState& state, double total_score,
                            const PageRankOptions& options) {
  LoopControl control(options.loops);
  PageRankSweep sweep = start(state, options.loops.warm_start);
  do {
    state.jump = ((1 - options.damping) * sweep.total + options.damping * sweep.leading_nowhere) / total_score;
    ADUANA_ASSIGN(sweep, method.sweep(state));
  } while (control.another(sweep.change / sweep.total));
  for (float& value : state.values) value = static_cast<float>(value / sweep.total);
  return control.convergence();
}

}  // namespace

Result<PageRank> PageRank::open(uint64_t n_pages, const ScoreFiles& files) {
  ADUANA_ASSIGN(auto scores, ScoreArrays::open(files, "page_rank", n_pages));
  return PageRank(std::move(scores));
}

Result<Convergence> PageRank::compute(LinkSource& links, std::span<const float> content_scores,
                                      const PageRankOptions& options) {
  PageRankOnLinks method(links, n_pages());
  return compute(method, content_scores, options);
}

Result<Convergence> PageRank::compute(PageRankMethod& method, std::span<const float> content_scores,
                                      const PageRankOptions& options) {
  ADUANA_TRY(options.loops.check());
  if (!(options.damping >= 0 && options.damping < 1)) {
    return Error(Code::invalid, "the damping must be a number from 0 up to, but not, 1");
  }
  const uint64_t n = n_pages();
  ADUANA_ASSIGN(const auto given, ContentScores::from(content_scores, n));
  if (n == 0) return Convergence{.reached = true};

  const bool all_alike = !given.given() || given.total() == 0;
  const ContentScores alike;
  PageRankState state{.values = scores_.new_values(),
                      .scores = all_alike ? alike : given,
                      .share = ZeroedArray<float>(n),
                      .gain = ZeroedArray<float>(n),
                      .passed = ZeroedArray<float>(n)};
  ADUANA_TRY(weigh_links(method, given, options.damping, state));
  scores_.begin();
  auto convergence = iterate(method, state, all_alike ? static_cast<double>(n) : given.total(), options);
  if (!convergence) scores_.undo();
  return convergence;
}

}  // namespace aduana
