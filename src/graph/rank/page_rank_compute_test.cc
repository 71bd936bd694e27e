// What a computation leaves behind: old and new values, their growth and files, and what is said of it.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <numeric>

#include "graph/rank/page_rank.h"
#include "graph/rank/random_graphs.h"
#include "graph/rank/temporary_folder.h"

namespace aduana {
namespace {

const LinkVector kLinks = {{0, 1}, {1, 2}, {2, 0}, {2, 1}};

double total(PageRank& page_rank) {
  const auto values = page_rank.values_until_resize();
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(PageRankCompute, KeepsTheValuesOfTheComputationBefore) {
  auto page_rank = must(PageRank::open(3));
  must(page_rank.compute(in_rows(3, kLinks)));
  const auto first = must(page_rank.get(1));
  EXPECT_EQ(first.old_value, 0);
  EXPECT_GT(first.new_value, 1.0 / 3);

  ListedLinks source({{0, 2}, {1, 2}});
  must(page_rank.compute(source));
  const auto second = must(page_rank.get(1));
  EXPECT_EQ(second.old_value, first.new_value);
  EXPECT_LT(second.new_value, 1.0 / 3);
}

TEST(PageRankCompute, GrowsWithTheGraph) {
  auto page_rank = must(PageRank::open(0));
  must(page_rank.compute(in_rows(3, kLinks)));
  EXPECT_EQ(page_rank.n_pages(), 3u);
  const float before = must(page_rank.get(0)).new_value;
  must(page_rank.compute(in_rows(5, {{3, 4}, {4, 0}, {0, 1}})));
  EXPECT_EQ(page_rank.n_pages(), 5u);
  EXPECT_EQ(must(page_rank.get(0)).old_value, before);
  EXPECT_EQ(must(page_rank.get(4)).old_value, 0);
  EXPECT_GT(must(page_rank.get(4)).new_value, 0);
  EXPECT_EQ(page_rank.get(5).error().code(), Code::invalid);
}

TEST(PageRankCompute, HasAShareForPagesThatTheGraphDoesNotKnow) {
  auto small = must(PageRank::open(6));
  must(small.compute(in_rows(3, kLinks)));
  auto large = must(PageRank::open(6));
  must(large.compute(in_rows(6, kLinks)));
  for (Node page = 0; page < 6; ++page) {
    EXPECT_EQ(must(small.get(page)).new_value, must(large.get(page)).new_value);
  }
  EXPECT_NEAR(total(small), 1, 1e-6);
}

TEST(PageRankCompute, SaysSoWhenThePrecisionIsNotReached) {
  std::mt19937 random(1);
  auto page_rank = must(PageRank::open(100));
  const PageRankOptions options{.loops = {.precision = 1e-9, .max_loops = 2}};
  const auto convergence = must(page_rank.compute(in_rows(100, random_links(100, 300, random)), {}, options));
  EXPECT_EQ(convergence.loops, 2u);
  EXPECT_FALSE(convergence.reached);
  EXPECT_GT(convergence.change, 1e-9);
  EXPECT_NEAR(total(page_rank), 1, 1e-6);
}

TEST(PageRankCompute, WithoutALimitEnds) {
  std::mt19937 random(2);
  const LinkVector links = random_links(300, 2000, random);
  for (const unsigned threads : {1u, 3u}) {
    auto page_rank = must(PageRank::open(300));
    must(page_rank.compute(in_rows(300, links), {}, {.loops = {.precision = 0, .max_loops = 0, .threads = threads}}));
    EXPECT_NEAR(total(page_rank), 1, 1e-6);
  }
}

TEST(PageRankCompute, StopsWhenToldAndKeepsTheValues) {
  std::mt19937 random(3);
  auto page_rank = must(PageRank::open(100));
  PageRankOptions options;
  options.loops.precision = 0;
  options.loops.progress = [](uint64_t loop, double) { return loop < 3; };
  const auto convergence = must(page_rank.compute(in_rows(100, random_links(100, 300, random)), {}, options));
  EXPECT_EQ(convergence.loops, 3u);
  EXPECT_FALSE(convergence.reached);
  EXPECT_NEAR(total(page_rank), 1, 1e-6);
}

TEST(PageRankCompute, StartsWarm) {
  std::mt19937 random(4);
  LinkVector links = random_links(500, 2000, random, 3);
  auto page_rank = must(PageRank::open(500));
  PageRankOptions options{.loops = {.precision = 1e-7}};
  const auto cold = must(page_rank.compute(in_rows(500, links), {}, options));
  links.push_back({499, 0});
  const auto warm = must(page_rank.compute(in_rows(505, links), {}, options));
  options.loops.warm_start = false;
  const auto cold_again = must(page_rank.compute(in_rows(505, links), {}, options));
  EXPECT_LT(warm.loops, cold.loops);
  EXPECT_LT(warm.loops, cold_again.loops);
}

TEST(PageRankCompute, RefusesWhatItCannotUse) {
  auto page_rank = must(PageRank::open(3));
  const auto graph = in_rows(3, kLinks);
  const auto code = [&](std::vector<float> scores, const PageRankOptions& options) {
    const auto result = page_rank.compute(graph, scores, options);
    return result ? std::optional<Code>() : result.error().code();
  };
  EXPECT_EQ(code({1, 2}, {}), Code::invalid);
  EXPECT_EQ(code({1, 2, 3, 4}, {}), Code::invalid);
  EXPECT_EQ(code({}, {.damping = 1}), Code::invalid);
  EXPECT_EQ(code({}, {.damping = -0.1}), Code::invalid);
  EXPECT_EQ(code({}, {.damping = std::numeric_limits<double>::quiet_NaN()}), Code::invalid);
  EXPECT_EQ(code({}, {.loops = {.precision = -1}}), Code::invalid);

  ListedLinks beyond({{0, 1}, {1, 3}});
  EXPECT_EQ(page_rank.compute(beyond).error().code(), Code::invalid);
}

// Fails when it is read for the n-th time.
class FailingLinks : public ListedLinks {
 public:
  explicit FailingLinks(int fails_at) : ListedLinks(kLinks), fails_at_(fails_at) {}
  Status reset() override {
    if (++reads_ == fails_at_) return Error(Code::io, "links: can't be read");
    return ListedLinks::reset();
  }

 private:
  int fails_at_;
  int reads_ = 0;
};

TEST(PageRankCompute, KeepsTheLastValuesWhenTheLinksFail) {
  auto page_rank = must(PageRank::open(3));
  must(page_rank.compute(in_rows(3, {{0, 1}})));
  const float last = must(page_rank.get(1)).new_value;
  for (const int fails_at : {1, 2, 3}) {
    FailingLinks links(fails_at);
    EXPECT_EQ(page_rank.compute(links).error().code(), Code::io);
    EXPECT_EQ(must(page_rank.get(1)).new_value, last);
  }
}

// Rows of which one can't be read, after the first walk.
struct FailingRows {
  const Csr<uint32_t>& rows;
  bool throws;

  uint64_t nodes() const { return rows.nodes(); }
  uint64_t links() const { return rows.links(); }
  template <class F>
  Status for_each_row(Node lo, Node hi, F&& f) const {
    if (lo == 0 && hi == nodes()) return rows.for_each_row(lo, hi, f);
    if (hi < nodes()) return rows.for_each_row(lo, hi, f);
    if (throws) throw std::logic_error("broken");
    return Error(Code::corrupt, "row can't be decoded");
  }
};

TEST(PageRankCompute, ErrorsOfThreadsComeOut) {
  std::mt19937 random(5);
  const auto rows = in_rows(2000, random_links(2000, 4000, random));
  auto page_rank = must(PageRank::open(2000));
  const PageRankOptions options{.loops = {.threads = 4}};
  EXPECT_EQ(page_rank.compute(FailingRows{rows, false}, {}, options).error().code(), Code::corrupt);
  EXPECT_EQ(must(page_rank.get(0)).new_value, 0);
  EXPECT_THROW(must(page_rank.compute(FailingRows{rows, true}, {}, options)), std::logic_error);
}

TEST(PageRankCompute, KeepsItsFilesWhenTold) {
  const TemporaryFolder folder;
  {
    auto page_rank = must(PageRank::open(3, {.folder = folder.path()}));
    must(page_rank.compute(in_rows(3, kLinks)));
    EXPECT_TRUE(folder.has("page_rank.old"));
    EXPECT_TRUE(folder.has("page_rank.new"));
  }
  EXPECT_FALSE(folder.has("page_rank.old"));
  EXPECT_FALSE(folder.has("page_rank.new"));

  OldAndNew last;
  {
    auto page_rank = must(PageRank::open(3, {.folder = folder.path(), .persist = true}));
    must(page_rank.compute(in_rows(3, kLinks)));
    must(page_rank.compute(in_rows(3, {{0, 1}})));
    last = must(page_rank.get(2));
  }
  auto page_rank = must(PageRank::open(4, {.folder = folder.path(), .persist = true}));
  EXPECT_EQ(must(page_rank.get(2)).old_value, last.old_value);
  EXPECT_EQ(must(page_rank.get(2)).new_value, last.new_value);
  EXPECT_EQ(must(page_rank.get(3)).new_value, 0);
  page_rank.set_persist(false);
}

TEST(PageRankCompute, SurvivesADamagedFile) {
  const TemporaryFolder folder;
  const float damage[] = {std::numeric_limits<float>::quiet_NaN(), -1, std::numeric_limits<float>::infinity(), 3e38f};
  std::ofstream(folder.path() + "/page_rank.new", std::ios::binary)
      .write(reinterpret_cast<const char*>(damage), sizeof(damage));
  auto page_rank = must(PageRank::open(4, {.folder = folder.path()}));
  must(page_rank.compute(in_rows(4, kLinks)));
  EXPECT_NEAR(total(page_rank), 1, 1e-6);
}

TEST(PageRankCompute, RefusesAFolderThatIsNotThere) {
  const TemporaryFolder folder;
  EXPECT_FALSE(PageRank::open(3, {.folder = folder.path() + "/missing"}));
}

}  // namespace
}  // namespace aduana
