#include "graph/rank/hits.h"

#include <gtest/gtest.h>

#include <limits>

#include "graph/rank/random_graphs.h"
#include "graph/rank/slow_link_analysis.h"
#include "graph/rank/temporary_folder.h"

namespace aduana {
namespace {

using Scores = std::vector<float>;

LoopOptions exactly(uint64_t loops, unsigned threads = 1) {
  return {.precision = 0, .max_loops = loops, .warm_start = false, .threads = threads};
}

Hits on_rows(uint64_t nodes, const LinkVector& links, const Scores& scores = {}, const LoopOptions& options = {}) {
  auto hits = must(Hits::open(nodes));
  must(hits.compute(out_rows(nodes, links), in_rows(nodes, links), scores, options));
  return hits;
}

Hits on_links(uint64_t nodes, const LinkVector& links, const Scores& scores = {}, const LoopOptions& options = {}) {
  auto hits = must(Hits::open(nodes));
  ListedLinks source(links);
  must(hits.compute(source, scores, options));
  return hits;
}

template <class Values>
void expect_near(std::span<const float> values, const Values& right) {
  ASSERT_EQ(values.size(), right.size());
  for (size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], right[i], 1e-6) << "page " << i;
}

void expect_values(Hits& hits, const HubsAndAuthorities& right) {
  expect_near(hits.hubs_until_resize(), right.hubs);
  expect_near(hits.authorities_until_resize(), right.authorities);
}

void expect_unit_or_zero(std::span<const float> values) {
  double squares = 0;
  for (const float value : values) {
    ASSERT_TRUE(std::isfinite(value));
    ASSERT_GE(value, 0);
    squares += double(value) * value;
  }
  EXPECT_NEAR(squares, squares > 0 ? 1 : 0, 1e-5);
}

TEST(Hits, AgreesWithASlowImplementation) {
  std::mt19937 random(1);
  for (int i = 0; i < 150; ++i) {
    const uint64_t nodes = 1 + random() % 40;
    const LinkVector links = random_links(nodes, random() % (nodes * 4), random, 1 + i % 3);
    const size_t loops = 1 + random() % 40;
    SCOPED_TRACE(i);
    for (const Scores& scores : {Scores{}, random_scores(nodes, random)}) {
      const auto right = iterated_hits(nodes, links, scores, loops);
      auto rows = on_rows(nodes, links, scores, exactly(loops));
      expect_values(rows, right);
      auto pushed = on_links(nodes, links, scores, exactly(loops));
      expect_values(pushed, right);
    }
  }
}

TEST(Hits, ReachesItsLimit) {
  std::mt19937 random(2);
  for (int i = 0; i < 10; ++i) {
    const LinkVector links = random_links(60, 600, random, 2);
    const Scores scores = random_scores(60, random);
    auto hits = must(Hits::open(60));
    const auto convergence = must(hits.compute(out_rows(60, links), in_rows(60, links), scores, {.precision = 1e-7}));
    EXPECT_TRUE(convergence.reached);
    expect_values(hits, iterated_hits(60, links, scores, 1000));
  }
}

TEST(Hits, CountsALinkOfASourceAsOftenAsItComes) {
  const LinkVector links = {{0, 1}, {0, 1}, {0, 2}, {1, 2}, {2, 2}, {2, 2}};
  auto hits = on_links(3, links, {}, exactly(7));
  expect_values(hits, iterated_hits(3, links, {}, 7));
}

TEST(Hits, IsTheSameOnSeveralThreads) {
  std::mt19937 random(3);
  const uint64_t nodes = 3000;
  const LinkVector links = random_links(nodes, 12000, random, 2);
  auto one = on_rows(nodes, links, {}, exactly(10));
  auto four = on_rows(nodes, links, {}, exactly(10, 4));
  expect_near(one.hubs_until_resize(), four.hubs_until_resize());
  expect_near(one.authorities_until_resize(), four.authorities_until_resize());
}

// Page A links to B, C and D, whose content/authority scores are 0.5/0.1, 0.1/1.0 and 0.9/0.5:
// Hub(A) = 0.5·0.1 + 0.1·1.0 + 0.9·0.5. After one loop authorities are as the numbers of links: 1, 10 and 5 here.
TEST(Hits, DocumentedExample) {
  const Node a = 0, b = 1, c = 2, d = 3;
  const uint64_t nodes = 17;
  LinkVector links = {{a, b}, {a, c}, {a, d}};
  for (Node page = 4; page < 13; ++page) links.push_back({page, c});
  for (Node page = 13; page < 17; ++page) links.push_back({page, d});
  Scores scores(nodes, 0.7f);
  scores[b] = 0.5f;
  scores[c] = 0.1f;
  scores[d] = 0.9f;
  for (auto& hits : {on_rows(nodes, links, scores, exactly(1)), on_links(nodes, links, scores, exactly(1))}) {
    const double authority = must(hits.authority(c)).new_value;
    EXPECT_NEAR(must(hits.authority(b)).new_value / authority, 0.1, 1e-6);
    EXPECT_NEAR(must(hits.authority(d)).new_value / authority, 0.5, 1e-6);
    const double only_c = must(hits.hub(4)).new_value;
    EXPECT_NEAR(must(hits.hub(a)).new_value / only_c, (0.5 * 0.1 + 0.1 * 1.0 + 0.9 * 0.5) / (0.1 * 1.0), 1e-5);
    EXPECT_NEAR(must(hits.hub(13)).new_value / only_c, (0.9 * 0.5) / (0.1 * 1.0), 1e-5);
  }
}

TEST(Hits, OfShapesThatAreKnown) {
  LinkVector clique, star;
  for (Node u = 0; u < 4; ++u) {
    for (Node v = 0; v < 4; ++v) clique.push_back({u, v});
    if (u > 0) star.push_back({u, 0});
  }
  auto all_alike = on_rows(4, clique);
  expect_values(all_alike, {Vector(4, 0.5), Vector(4, 0.5)});
  auto centre = on_rows(4, star);
  const double ray = 1 / std::sqrt(3.0);
  expect_values(centre, {{0, ray, ray, ray}, {1, 0, 0, 0}});
  auto own = on_rows(1, {{0, 0}});
  expect_values(own, {{1}, {1}});
}

// The flaw of old: NaN when all content scores are 0.
TEST(Hits, IsZeroWithoutLinksOrWithAllScoresZero) {
  const LinkVector links = {{0, 1}, {1, 2}, {2, 2}};
  const Vector zero(3, 0);
  auto no_links = on_rows(3, {});
  expect_values(no_links, {zero, zero});
  auto no_scores = on_rows(3, links, Scores(3, 0));
  expect_values(no_scores, {zero, zero});
  auto no_scores_pushed = on_links(3, links, Scores(3, 0));
  expect_values(no_scores_pushed, {zero, zero});
  auto alone = on_links(1, {});
  expect_values(alone, {{0}, {0}});
}

TEST(Hits, OfNoPages) {
  auto hits = must(Hits::open(0));
  ListedLinks none({});
  EXPECT_TRUE(must(hits.compute(none)).reached);
  EXPECT_TRUE(must(hits.compute(out_rows(0, {}), in_rows(0, {}))).reached);
}

TEST(Hits, IsFiniteWhateverTheScores) {
  std::mt19937 random(4);
  using Limits = std::numeric_limits<float>;
  const float extremes[] = {0,      1,     Limits::max(),       -1,     Limits::denorm_min(), Limits::min(),
                            1e-38f, 1e38f, Limits::quiet_NaN(), 1e-20f, Limits::infinity(),   -Limits::infinity()};
  for (int i = 0; i < 200; ++i) {
    const LinkVector links = random_links(20, 60, random);
    Scores scores(20);
    for (float& score : scores) score = extremes[random() % std::size(extremes)];
    auto rows = on_rows(20, links, scores);
    expect_unit_or_zero(rows.hubs_until_resize());
    expect_unit_or_zero(rows.authorities_until_resize());
    auto pushed = on_links(20, links, scores);
    expect_unit_or_zero(pushed.hubs_until_resize());
    expect_unit_or_zero(pushed.authorities_until_resize());
  }
}

TEST(Hits, KeepsOldAndNewAndGrows) {
  auto hits = must(Hits::open(0));
  const LinkVector links = {{0, 1}, {2, 1}, {2, 0}};
  must(hits.compute(out_rows(3, links), in_rows(3, links)));
  EXPECT_EQ(hits.n_pages(), 3u);
  const auto hub = must(hits.hub(2));
  const auto authority = must(hits.authority(1));
  EXPECT_EQ(hub.old_value, 0);
  EXPECT_GT(hub.new_value, 0);

  must(hits.set_n_pages(5));
  ListedLinks source({{3, 4}, {2, 4}});
  must(hits.compute(source));
  EXPECT_EQ(must(hits.hub(2)).old_value, hub.new_value);
  EXPECT_EQ(must(hits.authority(1)).old_value, authority.new_value);
  EXPECT_EQ(must(hits.authority(1)).new_value, 0);
  EXPECT_NEAR(must(hits.authority(4)).new_value, 1, 1e-6);
  EXPECT_EQ(hits.hub(5).error().code(), Code::invalid);
}

TEST(Hits, WarmStartNeedsFewerLoopsAndForgetsNobody) {
  std::mt19937 random(5);
  LinkVector links = random_links(300, 2000, random, 3);
  auto hits = must(Hits::open(300));
  LoopOptions options{.precision = 1e-6};
  const auto cold = must(hits.compute(out_rows(300, links), in_rows(300, links), {}, options));
  links.push_back({299, 298});
  const auto warm = must(hits.compute(out_rows(300, links), in_rows(300, links), {}, options));
  EXPECT_LT(warm.loops, cold.loops);

  // A part of the web that had no links at all, and so values of 0, becomes the densest.
  LinkVector small = {{0, 1}}, grown = small;
  for (Node u = 2; u < 8; ++u) {
    for (Node v = 2; v < 8; ++v) grown.push_back({u, v});
  }
  auto part = on_rows(8, small);
  ASSERT_EQ(must(part.hub(5)).new_value, 0);
  must(part.compute(out_rows(8, grown), in_rows(8, grown), {}, options));
  EXPECT_NEAR(must(part.hub(5)).new_value, 1 / std::sqrt(6.0), 1e-4);
}

TEST(Hits, SaysSoWhenThePrecisionIsNotReachedAndStopsWhenTold) {
  std::mt19937 random(6);
  const LinkVector links = random_links(100, 300, random);
  auto hits = must(Hits::open(100));
  ListedLinks source(links);
  const auto limited = must(hits.compute(source, {}, exactly(2)));
  EXPECT_EQ(limited.loops, 2u);
  EXPECT_FALSE(limited.reached);
  expect_unit_or_zero(hits.hubs_until_resize());
  EXPECT_GT(must(hits.hub(links[0].from)).new_value, 0);

  LoopOptions options{.precision = 0, .progress = [](uint64_t loop, double) { return loop < 3; }};
  EXPECT_EQ(must(hits.compute(source, {}, options)).loops, 3u);
  must(hits.compute(source, {}, {.precision = 0, .max_loops = 0}));  // without a limit, it ends
}

TEST(Hits, RefusesWhatItCannotUse) {
  auto hits = must(Hits::open(2));
  ListedLinks beyond({{0, 2}});
  EXPECT_EQ(hits.compute(beyond).error().code(), Code::invalid);
  ListedLinks links({{0, 1}});
  EXPECT_EQ(hits.compute(links, Scores{1}).error().code(), Code::invalid);
  EXPECT_EQ(hits.compute(links, {}, {.precision = -1}).error().code(), Code::invalid);
  EXPECT_EQ(hits.compute(out_rows(2, {}), in_rows(3, {})).error().code(), Code::invalid);
  EXPECT_EQ(must(hits.hub(0)).new_value, 0);
}

TEST(Hits, KeepsItsFilesWhenTold) {
  const TemporaryFolder folder;
  const char* const names[] = {"hits_hub.old", "hits_hub.new", "hits_authority.old", "hits_authority.new"};
  for (const bool persist : {false, true}) {
    {
      auto hits = must(Hits::open(3, {.folder = folder.path()}));
      hits.set_persist(persist);
      ListedLinks links({{0, 1}});
      must(hits.compute(links));
      for (const char* name : names) EXPECT_TRUE(folder.has(name)) << name;
    }
    for (const char* name : names) EXPECT_EQ(folder.has(name), persist) << name;
  }
  const auto hits = must(Hits::open(3, {.folder = folder.path()}));
  EXPECT_EQ(must(hits.hub(0)).new_value, 1);
}

}  // namespace
}  // namespace aduana
