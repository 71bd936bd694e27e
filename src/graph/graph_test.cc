// What goes into a graph file comes out of it: every shape, in both directions, in order and at random.
#include "graph/graph.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "graph/built_graph.h"
#include "graph/edges/edge_file.h"
#include "graph/rank/page_rank.h"
#include "graph/rank/temporary_folder.h"

namespace aduana {
namespace {

void expect_range(const CompressedRows& rows, const RowLists& expected, Node begin, Node end) {
  Node next = begin;
  must(rows.for_each_row(begin, end, [&](Node node, std::span<const Node> links) {
    ASSERT_EQ(node, next++);
    ASSERT_TRUE(std::ranges::equal(links, expected[node])) << "page " << node;
  }));
  ASSERT_EQ(next, end);
}

void expect_rows(const CompressedRows& rows, const RowLists& expected) {
  const Node n = expected.size();
  ASSERT_EQ(rows.nodes(), n);
  size_t links = 0;
  for (const auto& row : expected) links += row.size();
  ASSERT_EQ(rows.links(), links);
  expect_range(rows, expected, 0, n);
  std::mt19937_64 random(n);
  for (int i = 0; i < 20; ++i) {
    const Node begin = random() % (n + 1), end = begin + random() % (std::min<Node>(n - begin, 1000) + 1);
    expect_range(rows, expected, begin, end);
    expect_range(rows, expected, begin, begin);
  }
  CompressedRows::Reader reader(rows);
  for (Node i = 0; i < std::min<Node>(n, 1000); ++i) {
    const Node node = random() % n;
    ASSERT_TRUE(std::ranges::equal(must(reader.row(node)), expected[node])) << "page " << node;
  }
  for (const Node beyond : {n, n + 1, ~Node{0}}) EXPECT_EQ(reader.row(beyond).error().code(), Code::not_found);
}

struct GraphCase {
  const char* name;
  unsigned threads;
  uint64_t memory;
  bool urls, order_by_url;
};

void PrintTo(const GraphCase& test, std::ostream* out) { *out << test.name; }

constexpr uint64_t kMuch = 1 << 30;

class GraphTest : public testing::TestWithParam<GraphCase> {};

INSTANTIATE_TEST_SUITE_P(
    Cases, GraphTest,
    testing::Values(GraphCase{"OneThread", 1, kMuch, false, true}, GraphCase{"TwoThreads", 2, kMuch, false, true},
                    GraphCase{"FiveThreads", 5, kMuch, false, true}, GraphCase{"OneThreadNoMemory", 1, 0, false, true},
                    GraphCase{"TwoThreadsNoMemory", 2, 0, false, true}, GraphCase{"UrlOrder", 2, kMuch, true, true},
                    GraphCase{"UrlOrderNoMemory", 1, 0, true, true}, GraphCase{"UrlsInAnyOrder", 1, kMuch, true, false},
                    GraphCase{"UrlsInAnyOrderNoMemory", 2, 0, true, false}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(GraphTest, WhatGoesInComesOut) {
  const GraphCase& test = GetParam();
  const TemporaryFolder scratch;  // real: of positions that do not fit in memory there is a mapped file
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(shape.name);
    SimulatedDisk disk;
    must(disk.create_dirs(scratch.path()));
    const std::vector<std::string> urls = random_urls(shape.nodes, test.urls ? shape.nodes : 0);
    GraphBuildOptions options;
    options.threads = test.threads;
    options.memory_bytes = test.memory;
    options.scratch_folder = scratch.path();
    options.order_by_url = test.order_by_url;
    must(build_on(disk, shape, test.urls ? &urls : nullptr, options));
    EXPECT_TRUE(must(disk.list(scratch.path())).empty());
    EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));

    const auto graph = must(Graph::open(disk, kGraphPath));
    std::vector<NodeLink> links = shape.links;
    std::vector<Node> number(shape.nodes);
    std::iota(number.begin(), number.end(), Node{0});
    if (test.urls && test.order_by_url) number = url_numbers(urls);
    for (NodeLink& link : links) link = {number[link.from], number[link.to]};
    ASSERT_EQ(graph->nodes(), shape.nodes);
    ASSERT_EQ(graph->links(), shape.links.size());
    expect_rows(graph->out(), row_lists(shape.nodes, links));
    expect_rows(graph->in(), row_lists(shape.nodes, links, true));
    if (HasFatalFailure()) return;

    ASSERT_EQ(graph->urls() != nullptr, test.urls);
    for (Node i = 0; i < urls.size(); ++i) ASSERT_EQ(must(graph->urls()->url(number[i])), urls[i]);
    EXPECT_EQ(problems_of(*graph), std::vector<std::string>());
    const GraphSizes& sizes = graph->sizes();
    EXPECT_EQ(sizes.file, must(read_file(disk, kGraphPath)).size());
    EXPECT_LE(sizes.out + sizes.in + sizes.urls, sizes.file);
    EXPECT_GE(sizes.out + sizes.in + sizes.urls + 3, sizes.file);  // of each share a part of a byte may be missing
    EXPECT_EQ(sizes.urls > 0, test.urls);
  }
}

TEST(GraphBuild, AnyMemoryAndThreadsGiveTheSameFile) {
  const Shape shape = web_shape(5000, 1);
  const std::vector<std::string> urls = random_urls(2, shape.nodes);
  GraphBuildOptions options;
  options.threads = 1;
  const std::string expected = graph_bytes(shape, &urls, options);
  for (const unsigned threads : {2, 3, 7}) {
    options.threads = threads;
    EXPECT_TRUE(graph_bytes(shape, &urls, options) == expected) << threads;
  }
  options.memory_bytes = 1 << 20;
  EXPECT_TRUE(graph_bytes(shape, &urls, options) == expected);
}

TEST(GraphBuild, LinksMayComeInAnyOrderAndTwice) {
  Shape shape = web_shape(3000, 4);
  const std::string expected = graph_bytes(shape);
  shape.links.insert(shape.links.end(), shape.links.begin(), shape.links.begin() + 2000);
  std::shuffle(shape.links.begin(), shape.links.end(), std::mt19937_64(5));
  EXPECT_TRUE(graph_bytes(shape) == expected);
}

TEST(GraphBuild, PagesAreAtLeastThoseOfTheLinksAndThoseAskedFor) {
  const Shape fewer = {"", 3, {{0, 9}}};
  EXPECT_EQ(must(open_bytes(graph_bytes(fewer)))->nodes(), 10u);
  const Shape more = {"", 100, {{0, 9}}};
  EXPECT_EQ(must(open_bytes(graph_bytes(more)))->nodes(), 100u);
}

TEST(GraphBuild, ProgressNamesEachStepAndEndsWithAllLinks) {
  const Shape shape = web_shape(20'000, 6);
  const std::vector<std::string> urls = random_urls(7, shape.nodes);
  std::vector<std::pair<std::string, uint64_t>> last;  // of each step, in order
  GraphBuildOptions options;
  options.progress = [&](const char* step, uint64_t links) {
    if (last.empty() || last.back().first != step) last.emplace_back(step, 0);
    EXPECT_GE(links, last.back().second);
    last.back().second = links;
    return true;
  };
  graph_bytes(shape, &urls, options);
  ASSERT_EQ(last.size(), 5u);
  EXPECT_EQ(last[0].first, "sorting URLs");
  EXPECT_EQ(last[2], (std::pair<std::string, uint64_t>("compressing links out", shape.links.size())));
  EXPECT_EQ(last[4], (std::pair<std::string, uint64_t>("compressing links in", shape.links.size())));
}

TEST(GraphThreads, ReadAtOnce) {
  const Shape shape = web_shape(40'000, 8);
  const std::vector<std::string> urls = random_urls(9, shape.nodes);
  GraphBuildOptions options;
  options.order_by_url = false;
  const auto graph = must(open_bytes(graph_bytes(shape, &urls, options)));
  const RowLists out = row_lists(shape.nodes, shape.links), in = row_lists(shape.nodes, shape.links, true);
  std::vector<std::jthread> threads;
  for (const uint64_t seed : {1, 2, 3}) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      CompressedRows::Reader out_reader(graph->out()), in_reader(graph->in());
      for (int i = 0; i < 5000; ++i) {
        const Node node = random() % shape.nodes;
        ASSERT_TRUE(std::ranges::equal(must(out_reader.row(node)), out[node]));
        ASSERT_TRUE(std::ranges::equal(must(in_reader.row(node)), in[node]));
        ASSERT_EQ(must(graph->urls()->url(node)), urls[node]);
      }
      expect_range(graph->in(), in, seed * 1000 + 5, shape.nodes);
    });
  }
}

std::vector<float> page_rank_of(const auto& in_links, unsigned threads) {
  PageRank page_rank = must(PageRank::open(in_links.nodes()));
  PageRankOptions options;
  options.loops.precision = 1e-9;
  options.loops.threads = threads;
  must(page_rank.compute(in_links, {}, options));
  const auto values = page_rank.values_until_resize();
  return {values.begin(), values.end()};
}

TEST(GraphPageRank, IsThatOfTheGraphInMemory) {
  for (const Shape& shape : {web_shape(5000, 10), random_shape(300, 4000, 11)}) {
    const auto graph = must(open_bytes(graph_bytes(shape)));
    const std::vector<float> expected = page_rank_of(in_rows(shape.nodes, shape.links), 1);
    EXPECT_EQ(page_rank_of(graph->in(), 1), expected);  // the same sums in the same order
    const std::vector<float> threaded = page_rank_of(graph->in(), 2);
    for (Node i = 0; i < shape.nodes; ++i) ASSERT_NEAR(threaded[i], expected[i], 1e-6);
  }
}

// A real web graph, which is not part of the sources (see docs/benchmarks.md).
TEST(Cnr2000, ComesOutInFewBits) {
  const char* shared = std::getenv("ADUANA_SHARED");
  const std::string path = (shared ? std::string(shared) : ADUANA_SOURCE_DIR "/../shared") + "/data/cnr-2000.edges.xz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const auto source = must(open_edge_file(path));
  Shape shape{"cnr-2000", 325'557, {}};
  std::vector<NodeLink> batch(10'000);
  while (const size_t n = must(source->next(batch))) {
    shape.links.insert(shape.links.end(), batch.begin(), batch.begin() + static_cast<ptrdiff_t>(n));
  }
  ASSERT_EQ(shape.links.size(), 3'216'152u);
  const auto graph = must(open_bytes(graph_bytes(shape)));
  expect_rows(graph->out(), row_lists(shape.nodes, shape.links));
  expect_rows(graph->in(), row_lists(shape.nodes, shape.links, true));
  EXPECT_EQ(problems_of(*graph), std::vector<std::string>());
  const auto bits = [&](uint64_t bytes) { return 8.0 * static_cast<double>(bytes) / 3'216'152; };
  EXPECT_LE(bits(graph->sizes().out), 3.0);
  EXPECT_LE(bits(graph->sizes().in), 2.6);
}

}  // namespace
}  // namespace aduana
