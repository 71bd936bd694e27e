#include "score/blend_scorer.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "score/content_shares.h"
#include "score/imitation_rank.h"

namespace aduana {
namespace {

constexpr double kLearning = 0.2;       // weight of the newest page in what is expected of its siblings
constexpr double kMeanLearning = 0.02;  // and of all pages
constexpr double kMostGrowth = 4;       // as a logarithm, up or down
constexpr double kExploration = 1;

// By the place among siblings as a power of two: 1 for the first, towards 1 / (1 + kExploration) for the last.
float exploration(unsigned place_width) {
  static const auto factors = [] {
    std::array<float, 64> all{};
    for (unsigned width = 0; width < all.size(); ++width) {
      const double tried = width ? std::ldexp(1.0, static_cast<int>(width) - 1) : 0;
      all[width] = static_cast<float>((1 + kExploration / std::sqrt(1 + tried)) / (1 + kExploration));
    }
    return all;
  }();
  return factors[std::min(place_width, 63u)];
}

uint8_t place_width(uint64_t place) { return static_cast<uint8_t>(std::bit_width(place)); }

}  // namespace

float BlendScorer::value(PageIdx page, const Scores& scores) const {
  const float rank =
      page.value < scores.computed.size() ? scores.computed[page.value] : static_cast<float>(scores.scale);
  return (rank + scores.since.at(page)) * exploration(scores.place.at(page));
}

void BlendScorer::spread(const CrawledRow& row, uint64_t known, Scores& scores) const {
  if (row.again) return;  // it has given already
  scores.place.grow(scores.since.size());
  uint64_t first = UINT64_MAX;  // of those that are new
  for (const PageIdx link : row.links) {
    if (link.value >= known) first = std::min(first, link.value);
  }
  const float own =
      row.page.value < scores.more.size() ? scores.more[row.page.value] : static_cast<float>(scores.scale);
  const float given = static_cast<float>(options_.damping) * (own + scores.since[row.page]);
  const ContentShares shares(row);
  for (size_t i = 0; i < row.links.size(); ++i) {
    const PageIdx link = row.links[i];
    if (link.value >= known) scores.place[link] = place_width(link.value - first);
    scores.since[link] += given * shares.of(i);
  }
}

// A page that no link led to begins with 1, as long as nothing was computed; one found since the last time with what
// jumps bring.
Status BlendScorer::start_values(const PagesSnapshot& pages, bool first_time) {
  const float jump = first_time ? 0 : static_cast<float>((1 - options_.damping) / static_cast<double>(ranks_.size()));
  ranks_.resize(pages.size(), jump);
  when_crawled_.resize(pages.size(), 0);
  heard_.resize(pages.size(), false);
  if (!first_time) return {};
  for (PageIdx page{0}; page.value < pages.size(); ++page.value) {
    ADUANA_ASSIGN(const PageRecord record, pages.record(page));
    if (record.depth == 0) ranks_[page.value] = 1;
  }
  return {};
}

// What pages crawled since the last time handed on, as spread() does it. The first time that may be very many, of a
// store that was there: what their ranks were when they were crawled is not known then.
Status BlendScorer::hear_of_new_rows(CrawledGraph& graph, bool first_time) {
  return graph.for_each_row([&](uint64_t, uint64_t page, auto links) {
    if (heard_[page]) return;
    heard_[page] = true;
    known_ = std::max(known_, page + 1);
    if (!first_time) when_crawled_[page] = ranks_[page] * static_cast<float>(known_);
    const float given = static_cast<float>(options_.damping) * ranks_[page] / static_cast<float>(links.size());
    for (const uint64_t link : links) {
      ranks_[link] += given;
      known_ = std::max<uint64_t>(known_, link + 1);
    }
  });
}

// For each row: e to the power of what is expected of the pages that it showed first, against all pages.
std::vector<float> BlendScorer::expected_growth(const CrawledGraph& graph) const {
  const auto pages = static_cast<double>(ranks_.size());
  std::vector<float> expected(graph.rows(), 0);
  std::vector<bool> seen(graph.rows(), false);
  double mean = 0;
  bool first = true;
  for (uint64_t row = 0; row < graph.rows(); ++row) {
    const uint64_t page = graph.page_of(row);
    if (!(when_crawled_[page] > 0)) continue;
    const double growth = std::clamp(std::log(ranks_[page] * pages / when_crawled_[page]), -kMostGrowth, kMostGrowth);
    if (std::exchange(first, false)) mean = growth;
    mean += kMeanLearning * (growth - mean);
    const uint32_t discoverer = graph.discoverer(page);
    if (discoverer == CrawledGraph::kNobody) continue;
    if (!seen[discoverer]) expected[discoverer] = static_cast<float>(mean);
    seen[discoverer] = true;
    expected[discoverer] += static_cast<float>(kLearning * (growth - expected[discoverer]));
  }
  for (uint64_t row = 0; row < graph.rows(); ++row) {
    expected[row] = seen[row] ? static_cast<float>(std::exp(expected[row] - mean)) : 1;
  }
  return expected;
}

Result<Convergence> BlendScorer::compute_scores(ScoreInput& input, const std::function<bool()>& go_on, Scores& scores) {
  auto computed = try_to_compute(input, go_on, scores);
  if (!computed) {  // half of it is done: the next time is a first time
    ranks_.clear();
    when_crawled_.clear();
    heard_.clear();
    known_ = 0;
  }
  return computed;
}

Result<Convergence> BlendScorer::try_to_compute(ScoreInput& input, const std::function<bool()>& go_on, Scores& scores) {
  const bool first_time = ranks_.empty();
  ADUANA_TRY(start_values(input.pages, first_time));
  ADUANA_ASSIGN(const std::vector<float> content, content_scores(input.pages, options_));
  ADUANA_ASSIGN(CrawledGraph graph, CrawledGraph::read(input, options_.graph_bytes));
  ADUANA_TRY(hear_of_new_rows(graph, first_time));
  // The crawl goes on meanwhile, and the last values are where it begins: more loops would change the order little.
  constexpr uint64_t kLoops = 6, kFirstLoops = 40;
  ADUANA_ASSIGN(const Convergence convergence,
                imitation_rank(graph, {options_.damping, content, first_time ? kFirstLoops : kLoops}, go_on, ranks_));
  const std::vector<float> growth = expected_growth(graph);
  const uint64_t pages = graph.pages();
  scores.unit = 1 / static_cast<float>(std::max<uint64_t>(pages, 1));
  scores.more = ranks_;
  scores.computed.resize(pages);
  scores.place.grow(pages);
  scores.scale = (1 - options_.damping) / static_cast<double>(std::max<uint64_t>(pages, 1));
  for (uint64_t page = 0; page < pages; ++page) {
    const uint32_t discoverer = graph.discoverer(page);
    scores.computed[page] = ranks_[page] * (discoverer == CrawledGraph::kNobody ? 1 : growth[discoverer]);
    scores.place[PageIdx{page}] = place_width(graph.place_among_siblings(page));
  }
  return convergence;
}

}  // namespace aduana
