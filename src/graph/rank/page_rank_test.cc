// That the values are right: against two slow implementations, and where they are known.
#include "graph/rank/page_rank.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "graph/rank/random_graphs.h"
#include "graph/rank/slow_link_analysis.h"

namespace aduana {
namespace {

using Scores = std::vector<float>;

PageRankOptions fine(unsigned threads = 1) {
  return {.loops = {.precision = 1e-9, .max_loops = 1000, .warm_start = false, .threads = threads}};
}

Scores values_of(PageRank& page_rank) {
  const auto values = page_rank.values_until_resize();
  return {values.begin(), values.end()};
}

Scores on_rows(uint64_t nodes, const LinkVector& links, const Scores& scores = {},
               const PageRankOptions& options = fine()) {
  auto page_rank = must(PageRank::open(nodes));
  must(page_rank.compute(in_rows(nodes, links), scores, options));
  return values_of(page_rank);
}

Scores on_links(uint64_t nodes, const LinkVector& links, const Scores& scores = {},
                const PageRankOptions& options = fine()) {
  auto page_rank = must(PageRank::open(nodes));
  ListedLinks source(links);
  must(page_rank.compute(source, scores, options));
  return values_of(page_rank);
}

template <class A, class B>
void expect_near(const A& a, const B& b, double tolerance = 1e-6) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << "page " << i;
}

void expect_distribution(const Scores& values) {
  for (const float value : values) {
    ASSERT_TRUE(std::isfinite(value));
    ASSERT_GE(value, 0);
  }
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 1, 1e-6);
}

void expect_agreement(uint64_t nodes, const LinkVector& links, const Scores& scores, double damping = 0.85) {
  auto options = fine();
  options.damping = damping;
  const Vector right = iterated_page_rank(nodes, links, scores, damping);
  expect_near(right, solved_page_rank(nodes, links, scores, damping), 1e-11);
  const Scores values = on_rows(nodes, links, scores, options);
  expect_distribution(values);
  expect_near(values, right);
  expect_near(on_links(nodes, links, scores, options), right);
}

TEST(PageRank, AgreesWithSlowImplementations) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const uint64_t nodes = 1 + random() % 40;
    const LinkVector links = random_links(nodes, random() % (nodes * 4), random, 1 + i % 3);
    SCOPED_TRACE(i);
    expect_agreement(nodes, links, {});
    expect_agreement(nodes, links, random_scores(nodes, random));
  }
}

TEST(PageRank, AgreesWhateverTheDamping) {
  std::mt19937 random(2);
  for (const double damping : {0.0, 0.1, 0.5, 0.9, 0.95}) {
    const LinkVector links = random_links(50, 150, random);
    expect_agreement(50, links, {}, damping);
    expect_agreement(50, links, random_scores(50, random), damping);
  }
}

TEST(PageRank, AgreesOnALargerSkewedGraph) {
  std::mt19937 random(3);
  const uint64_t nodes = 400;
  const LinkVector links = random_links(nodes, 6000, random, 4);
  expect_agreement(nodes, links, {});
  expect_agreement(nodes, links, random_scores(nodes, random));
}

TEST(PageRank, CountsALinkOfASourceAsOftenAsItComes) {
  std::mt19937 random(4);
  for (int i = 0; i < 50; ++i) {
    LinkVector links = random_links(12, 30, random);
    for (int k = 0; k < 20; ++k) links.push_back(links[random() % links.size()]);
    for (int k = 0; k < 3; ++k) links.push_back({5, 5});
    const Scores scores = random_scores(12, random);
    expect_near(on_links(12, links), iterated_page_rank(12, links, {}));
    expect_near(on_links(12, links, scores), iterated_page_rank(12, links, scores));
  }
}

TEST(PageRank, IsTheSameOnSeveralThreads) {
  std::mt19937 random(5);
  const uint64_t nodes = 3000;
  const LinkVector links = random_links(nodes, 12000, random, 2);
  const Scores scores = random_scores(nodes, random);
  for (const unsigned threads : {2u, 4u}) {
    expect_near(on_rows(nodes, links, {}, fine(threads)), on_rows(nodes, links));
    expect_near(on_rows(nodes, links, scores, fine(threads)), on_rows(nodes, links, scores));
  }
}

TEST(PageRank, OfShapesThatAreKnown) {
  // A ring and a clique: all alike.
  LinkVector ring, clique, star;
  for (Node u = 0; u < 10; ++u) {
    ring.push_back({u, (u + 1) % 10});
    for (Node v = 0; v < 10; ++v) clique.push_back({u, v});
  }
  expect_near(on_rows(10, ring), Scores(10, 0.1f));
  expect_near(on_rows(10, clique), Scores(10, 0.1f));

  // A star whose rays link to the centre: centre = 0.15/n + 0.85·(rays + centre/n), since the centre leads nowhere.
  for (Node u = 1; u < 10; ++u) star.push_back({u, 0});
  const double ray = 1 / (9 + (1 + 0.85 * 9));
  const Scores values = on_rows(10, star);
  EXPECT_NEAR(values[1], ray, 1e-6);
  EXPECT_NEAR(values[0], 1 - 9 * ray, 1e-6);
}

TEST(PageRank, KeepsAMillionSmallShares) {
  const uint64_t nodes = 1'000'001;
  std::vector<std::vector<uint32_t>> rows(nodes);
  for (uint32_t page = 1; page < nodes; ++page) rows[0].push_back(page);
  auto page_rank = must(PageRank::open(nodes));
  must(page_rank.compute(must(Csr<uint32_t>::from_rows(rows)), {}, {.loops = {.precision = 1e-7}}));
  const double ray = 1 / (double(nodes - 1) + (1 + 0.85 * double(nodes - 1)));
  EXPECT_NEAR(must(page_rank.get(0)).new_value, 1 - double(nodes - 1) * ray, 1e-6);
}

TEST(PageRank, OfPartsWithoutLinksBetweenThem) { expect_agreement(7, {{0, 1}, {1, 0}, {2, 3}, {3, 4}, {4, 2}}, {}); }

TEST(PageRank, OfPagesThatOnlyLinkToThemselves) {
  expect_agreement(3, {{0, 0}, {1, 1}, {2, 2}}, {});
  expect_agreement(4, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, {});
  expect_agreement(1, {{0, 0}}, {});
}

TEST(PageRank, OfOnePageOrNoLinks) {
  expect_near(on_rows(1, {}), Scores{1});
  expect_near(on_links(1, {}), Scores{1});
  expect_near(on_rows(4, {}), Scores(4, 0.25f));
  expect_near(on_rows(4, {}, {1, 3, 0, 0}), Scores{0.25f, 0.75f, 0, 0});
}

TEST(PageRank, OfNoPages) {
  auto page_rank = must(PageRank::open(0));
  ListedLinks none({});
  EXPECT_TRUE(must(page_rank.compute(none)).reached);
  EXPECT_TRUE(must(page_rank.compute(in_rows(0, {}))).reached);
  EXPECT_FALSE(page_rank.get(0));
}

TEST(PageRank, WithAllScoresZeroIsTheSameForAllPages) {
  const LinkVector links = {{0, 1}, {1, 2}, {2, 2}, {3, 0}};
  for (const float zero : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()}) {
    expect_near(on_rows(4, links, Scores(4, zero)), Scores(4, 0.25f));
    expect_near(on_links(4, links, Scores(4, zero)), Scores(4, 0.25f));
  }
}

TEST(PageRank, TakesWhatIsNoScoreForZero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const LinkVector links = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 0}, {3, 4}, {4, 4}, {4, 5}, {5, 0}};
  expect_near(on_rows(6, links, {1, nan, 0.5f, infinite, -infinite, -3}), on_rows(6, links, {1, 0, 0.5f, 0, 0, 0}));
  expect_agreement(6, links, {1, nan, 0.5f, infinite, -infinite, -3});
}

TEST(PageRank, IsFiniteWhateverTheScores) {
  std::mt19937 random(6);
  const float extremes[] = {
      0,      1,       std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min(),
      1e-38f, 1e38f,   std::numeric_limits<float>::min(), -1,
      1e-20f, 0.3e-20f};
  for (int i = 0; i < 200; ++i) {
    const LinkVector links = random_links(20, 60, random);
    Scores scores(20);
    for (float& score : scores) score = extremes[random() % std::size(extremes)];
    expect_distribution(on_rows(20, links, scores));
    expect_distribution(on_links(20, links, scores));
  }
  // Proportions are kept at both ends of what a float can hold.
  for (const float unit : {1e-38f, 8e37f}) {
    expect_near(on_rows(3, {{0, 1}, {0, 2}, {1, 0}, {2, 0}}, {unit, unit, 3 * unit}),
                iterated_page_rank(3, {{0, 1}, {0, 2}, {1, 0}, {2, 0}}, {1, 1, 3}));
  }
}

TEST(PageRank, IsFiniteNextToADampingOfOne) {
  auto options = fine();
  options.damping = std::nextafter(1.0, 0.0);
  options.loops.max_loops = 50;
  const LinkVector links = {{0, 0}, {1, 1}, {2, 0}, {2, 1}, {3, 3}, {4, 3}};
  expect_distribution(on_rows(6, links, {}, options));
  expect_distribution(on_links(6, links, {}, options));
  expect_distribution(on_rows(6, links, {3, 7, 1, 0.1f, 1, 0}, options));
}

}  // namespace
}  // namespace aduana
