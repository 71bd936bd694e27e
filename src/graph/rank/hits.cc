#include "graph/rank/hits.h"

#include <cmath>
#include <numeric>

#include "base/zeroed_array.h"
#include "graph/rank/content_scores.h"
#include "graph/rank/start_values.h"

namespace aduana {
namespace {

// Below this a value is 0: it can only become smaller, and arithmetic on what is almost too small for a float is slow.
constexpr float kNegligible = 1e-30f;

// Who starts at 0 in a part of the web of its own stays there, however good that part has become. So nobody starts
// below a small part of the mean.
constexpr double kLeastOfMean = 0.01;

void lift_start(std::span<float> values) {
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  const float least = static_cast<float>(kLeastOfMean * total / static_cast<double>(values.size()));
  for (float& value : values) value = std::max(value, least);
}

// Replaces the values by the sums, scaled to length 1; returns the largest change.
double take_scaled(std::span<const float> sums, double squares, std::span<float> values) {
  const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
  float change = 0;
  for (Node page = 0; page < values.size(); ++page) {
    const float scaled = static_cast<float>(sums[page] * scale);
    const float value = scaled < kNegligible ? 0 : scaled;
    change = std::max(change, std::abs(value - values[page]));
    values[page] = value;
  }
  return change;
}

struct HitsState {
  std::span<float> hubs;
  std::span<float> authorities;
  const ContentScores& scores;
  ZeroedArray<float> sums;
  ZeroedArray<float> weighted;  // authority · content score; unused without scores
};

Result<double> loop(HitsMethod& method, HitsState& state) {
  const std::span<float> sums(state.sums.begin(), state.sums.size());
  ADUANA_ASSIGN(const double authority_squares, method.from_sources(state.hubs, sums));
  const double authority_change = take_scaled(sums, authority_squares, state.authorities);

  std::span<const float> weighted = state.authorities;
  if (state.scores.given()) {
    for (Node page = 0; page < state.weighted.size(); ++page) {
      state.weighted[page] = state.scores.of(page) * state.authorities[page];
    }
    weighted = {state.weighted.begin(), state.weighted.size()};
  }
  ADUANA_ASSIGN(const double hub_squares, method.from_targets(weighted, sums));
  return std::max(authority_change, take_scaled(sums, hub_squares, state.hubs));
}

Result<Convergence> iterate(HitsMethod& method, HitsState& state, const LoopOptions& options) {
  LoopControl control(options);
  double change = 0;
  do {
    ADUANA_ASSIGN(change, loop(method, state));
  } while (control.another(change));
  return control.convergence();
}

}  // namespace

Result<Hits> Hits::open(uint64_t n_pages, const ScoreFiles& files) {
  ADUANA_ASSIGN(auto hubs, ScoreArrays::open(files, "hits_hub", n_pages));
  ADUANA_ASSIGN(auto authorities, ScoreArrays::open(files, "hits_authority", n_pages));
  return Hits(std::move(hubs), std::move(authorities));
}

Status Hits::set_n_pages(uint64_t n_pages) {
  ADUANA_TRY(hubs_.resize(n_pages));
  return authorities_.resize(n_pages);
}

void Hits::set_persist(bool persist) {
  hubs_.set_persist(persist);
  authorities_.set_persist(persist);
}

Result<Convergence> Hits::compute(LinkSource& links, std::span<const float> content_scores,
                                  const LoopOptions& options) {
  HitsOnLinks method(links, n_pages());
  return compute(method, content_scores, options);
}

Result<Convergence> Hits::compute(HitsMethod& method, std::span<const float> content_scores,
                                  const LoopOptions& options) {
  ADUANA_TRY(options.check());
  const uint64_t n = n_pages();
  ADUANA_ASSIGN(const auto scores, ContentScores::from(content_scores, n));
  if (n == 0) return Convergence{.reached = true};

  HitsState state{.hubs = hubs_.new_values().first(n),
                  .authorities = authorities_.new_values().first(n),
                  .scores = scores,
                  .sums = ZeroedArray<float>(n),
                  .weighted = ZeroedArray<float>(scores.given() ? n : 0)};
  hubs_.begin();
  authorities_.begin();
  make_start(state.hubs, options.warm_start, 1 / std::sqrt(static_cast<double>(n)));
  lift_start(state.hubs);
  auto convergence = iterate(method, state, options);
  if (!convergence) {
    hubs_.undo();
    authorities_.undo();
  }
  return convergence;
}

}  // namespace aduana
