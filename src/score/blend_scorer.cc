#include "score/blend_scorer.h"

#include <algorithm>
#include <array>
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
  const float rank = page.value < scores.computed.size() ? scores.computed[page.value] : scores.newcomer;
  return (rank + scores.since.at(page)) * exploration(scores.places.at(page));
}

void BlendScorer::spread(const CrawledRow& row, uint64_t known, Scores& scores) const {
  if (row.again) return;  // it has given already
  scores.places.grow(scores.since.size());
  uint64_t first = UINT64_MAX;  // of those that are new
  for (const PageIdx link : row.links) {
    if (link.value >= known) first = std::min(first, link.value);
  }
  const float own = row.page.value < scores.ranks.size() ? scores.ranks[row.page.value] : scores.newcomer;
  const float given = static_cast<float>(options_.damping) * (own + scores.since[row.page]);
  const ContentShares shares(row);
  for (size_t i = 0; i < row.links.size(); ++i) {
    const PageIdx link = row.links[i];
    if (link.value >= known) scores.places[link] = place_width(link.value - first);
    scores.since[link] += given * shares.of(i);
  }
}

// A page that no link led to begins with 1, as long as nothing was computed; one found since the last time with what
// jumps bring.
Status BlendScorer::start_values(const PagesSnapshot& pages, Learned& learned) const {
  const bool first_time = learned.ranks.empty();
  const double before = static_cast<double>(learned.ranks.size());
  learned.ranks.resize(pages.size(), first_time ? 0 : static_cast<float>((1 - options_.damping) / before));
  learned.when_crawled.resize(pages.size(), 0);
  learned.heard.resize(pages.size(), false);
  if (!first_time) return {};
  for (PageIdx page{0}; page.value < pages.size(); ++page.value) {
    ADUANA_ASSIGN(const PageRecord record, pages.record(page));
    if (record.depth == 0) learned.ranks[page.value] = 1;
  }
  return {};
}

// What pages crawled since the last time handed on, as spread() does it. The first time that may be very many, of a
// store that was there: what their ranks were when they were crawled is not known then.
Status BlendScorer::hear_of_new_rows(CrawledGraph& graph, bool first_time, Learned& learned) const {
  return graph.for_each_row([&](uint64_t, uint64_t page, auto links) {
    if (learned.heard[page]) return;
    learned.heard[page] = true;
    const float rank = learned.ranks[page];
    learned.known = std::max(learned.known, page + 1);
    if (!first_time) learned.when_crawled[page] = rank * static_cast<float>(learned.known);
    for (const uint64_t link : links) {
      learned.ranks[link] += static_cast<float>(options_.damping) * rank / static_cast<float>(links.size());
      learned.known = std::max<uint64_t>(learned.known, link + 1);
    }
  });
}

// For each row: e to the power of what is expected of the pages that it showed first, against all pages.
std::vector<float> BlendScorer::expected_growth(const CrawledGraph& graph, const Learned& learned) {
  const auto pages = static_cast<double>(learned.ranks.size());
  std::vector<float> expected(graph.rows(), 0);
  std::vector<bool> seen(graph.rows(), false);
  double mean = 0;
  bool first = true;
  for (uint64_t row = 0; row < graph.rows(); ++row) {
    const uint64_t page = graph.page_of(row);
    const float then = learned.when_crawled[page];
    if (!(then > 0)) continue;
    const double growth = std::clamp(std::log(learned.ranks[page] * pages / then), -kMostGrowth, kMostGrowth);
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
  // Taken away until it is whole again: after an error the next time is a first time.
  Learned learned = std::exchange(learned_, {});
  const bool first_time = learned.ranks.empty();
  ADUANA_TRY(start_values(input.pages, learned));
  ADUANA_ASSIGN(const std::vector<float> content, content_scores(input.pages, options_));
  ADUANA_ASSIGN(CrawledGraph graph, CrawledGraph::read(input, options_.graph_bytes));
  ADUANA_TRY(hear_of_new_rows(graph, first_time, learned));
  // The crawl goes on meanwhile, and the last values are where it begins: more loops would change the order little.
  constexpr uint64_t kLoops = 6, kFirstLoops = 40;
  const ImitationOptions options{options_.damping, content, first_time ? kFirstLoops : kLoops};
  ADUANA_ASSIGN(const Convergence convergence, imitation_rank(graph, options, go_on, learned.ranks));
  const std::vector<float> growth = expected_growth(graph, learned);
  const uint64_t pages = graph.pages();
  scores.unit = 1 / static_cast<float>(std::max<uint64_t>(pages, 1));
  scores.newcomer = static_cast<float>(1 - options_.damping) * scores.unit;
  scores.ranks = learned.ranks;
  scores.computed.resize(pages);
  scores.places.grow(pages);
  for (uint64_t page = 0; page < pages; ++page) {
    const uint32_t discoverer = graph.discoverer(page);
    scores.computed[page] = learned.ranks[page] * (discoverer == CrawledGraph::kNobody ? 1 : growth[discoverer]);
    scores.places[PageIdx{page}] = place_width(graph.place_among_siblings(page));
  }
  learned_ = std::move(learned);
  return convergence;
}

}  // namespace aduana
