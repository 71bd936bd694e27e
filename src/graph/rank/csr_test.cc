#include "graph/rank/csr.h"

#include <gtest/gtest.h>

#include <set>

#include "graph/rank/random_graphs.h"

namespace aduana {
namespace {

static_assert(RowGraph<Csr<uint32_t>> && RowGraph<Csr<uint64_t>>);

using Pairs = std::set<std::pair<Node, Node>>;

template <class G>
Pairs links_of(const G& graph) {
  Pairs links;
  Node expected = 0;
  must(graph.for_each_row(0, graph.nodes(), [&](Node node, auto row) {
    EXPECT_EQ(node, expected++);
    EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
    for (const Node target : row) EXPECT_TRUE(links.emplace(node, target).second) << node << " " << target;
  }));
  EXPECT_EQ(expected, graph.nodes());
  EXPECT_EQ(links.size(), graph.links());
  return links;
}

TEST(Csr, HoldsTheLinksOfASourceBothWays) {
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    const uint64_t nodes = 1 + random() % 60;
    const LinkVector links = random_links(nodes, random() % 500, random);
    Pairs out, in;
    for (const NodeLink& link : links) {
      out.emplace(link.from, link.to);
      in.emplace(link.to, link.from);
    }
    const auto as_given = out_rows(nodes, links);
    EXPECT_EQ(links_of(as_given), out);
    EXPECT_EQ(links_of(in_rows(nodes, links)), in);
    EXPECT_EQ(links_of(must(Csr<uint64_t>::from_graph(as_given))), out);
    EXPECT_EQ(links_of(must(Csr<uint32_t>::from_graph(as_given, Rows::transposed))), in);
  }
}

TEST(Csr, DropsDuplicatesAndSorts) {
  ListedLinks source({{2, 1}, {0, 2}, {0, 1}, {0, 2}, {2, 1}, {0, 0}});
  const auto graph = must(Csr<uint32_t>::from_links(source, 4));
  EXPECT_EQ(links_of(graph), (Pairs{{0, 0}, {0, 1}, {0, 2}, {2, 1}}));
  EXPECT_TRUE(graph.row(1).empty());
  EXPECT_TRUE(graph.row(3).empty());

  const auto from_rows = must(Csr<uint32_t>::from_rows({{2, 0, 1, 2}, {}, {1, 1}, {}}));
  EXPECT_EQ(links_of(from_rows), links_of(graph));
}

TEST(Csr, WalksPartOfItsRows) {
  const auto graph = must(Csr<uint32_t>::from_rows({{1}, {}, {0, 1}, {3}}));
  LinkVector seen;
  must(graph.for_each_row(1, 3, [&](Node node, auto row) {
    for (const Node target : row) seen.push_back({node, target});
  }));
  EXPECT_EQ(seen, (LinkVector{{2, 0}, {2, 1}}));
}

TEST(Csr, CanBeEmpty) {
  ListedLinks none({});
  EXPECT_EQ(must(Csr<uint32_t>::from_links(none, 0)).nodes(), 0u);
  EXPECT_EQ(must(Csr<uint32_t>::from_rows({})).nodes(), 0u);
  const auto graph = must(Csr<uint64_t>::from_links(none, 3));
  EXPECT_EQ(links_of(graph), Pairs{});
  EXPECT_EQ(must(Csr<uint32_t>::from_graph(graph, Rows::transposed)).nodes(), 3u);
}

TEST(Csr, RefusesPagesBeyondTheEnd) {
  ListedLinks source({{0, 1}, {1, 2}});
  EXPECT_EQ(Csr<uint32_t>::from_links(source, 2).error().code(), Code::invalid);
  EXPECT_EQ(Csr<uint32_t>::from_rows({{1}}).error().code(), Code::invalid);
  ListedLinks none({});
  EXPECT_EQ(Csr<uint32_t>::from_links(none, (uint64_t{1} << 32) + 1).error().code(), Code::invalid);
}

// Gives other links each time it is read.
class FickleLinks : public ListedLinks {
 public:
  FickleLinks(LinkVector first, LinkVector second) : ListedLinks(std::move(first)), second_(std::move(second)) {}
  Status reset() override {
    if (++resets_ == 2) ListedLinks::operator=(ListedLinks(second_));
    return ListedLinks::reset();
  }

 private:
  LinkVector second_;
  int resets_ = 0;
};

TEST(Csr, NoticesLinksThatChangeBetweenReadings) {
  const std::vector<LinkVector> others = {{{0, 1}}, {{0, 1}, {1, 0}, {1, 1}}, {{1, 0}, {1, 1}}, {}};
  for (const LinkVector& other : others) {
    FickleLinks source({{0, 1}, {1, 0}}, other);
    const auto graph = Csr<uint32_t>::from_links(source, 2);
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code(), Code::corrupt);
  }
}

}  // namespace
}  // namespace aduana
