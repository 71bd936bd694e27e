// Graphs of a store that is being crawled.
#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "base/must.h"
#include "frontier/frontier_fixture.h"
#include "graph/graph.h"

namespace aduana {
namespace {

class GraphOfStore : public FrontierTest {
 protected:
  static std::string url(uint64_t page) {
    return "http://h" + std::to_string(page % 5) + ".example/" + std::to_string(page);
  }
  void crawl_some(uint64_t first, uint64_t last) {
    for (uint64_t page = first; page < last; ++page) {
      const Urls links{url(page + 1), url(page * 7 % 500), url(3)};
      report(url(page), links);
      for (const std::string& link : links) links_.emplace(url(page), link);
    }
  }
  // Of the URLs of a graph.
  static std::multimap<std::string, std::string> links_of(const Graph& graph) {
    std::multimap<std::string, std::string> links;
    must(graph.out().for_each_row(0, graph.nodes(), [&](Node node, std::span<const Node> row) {
      for (const Node to : row) links.emplace(must(graph.urls()->url(node)), must(graph.urls()->url(to)));
    }));
    return links;
  }

  std::multimap<std::string, std::string> links_;
};

TEST_F(GraphOfStore, HoldsTheLinksOfTheStoreByUrl) {
  open();
  crawl_some(0, 300);
  for (const bool by_url : {true, false}) {
    GraphOptions options;
    options.order_by_url = by_url;
    ASSERT_TRUE(frontier_->build_graph("/graph", options));
    const auto graph = must(Graph::open(disk_, "/graph"));
    EXPECT_EQ(graph->nodes(), frontier_->stats()->urls);
    EXPECT_EQ(graph->links(), frontier_->stats()->links);
    std::multimap<std::string, std::string> distinct;
    for (const auto& [from, to] : links_) {
      const auto [begin, end] = distinct.equal_range(from);
      if (std::none_of(begin, end, [&](const auto& known) { return known.second == to; })) distinct.emplace(from, to);
    }
    const auto found = links_of(*graph);
    EXPECT_EQ(found.size(), distinct.size());
    for (const auto& link : distinct) {
      const auto [begin, end] = found.equal_range(link.first);
      EXPECT_TRUE(std::find(begin, end, std::pair<const std::string, std::string>(link)) != end);
    }
    EXPECT_TRUE(graph->check([](const std::string& problem) { ADD_FAILURE() << problem; }));
    const auto node = must(graph->urls()->find(url(3)));
    ASSERT_TRUE(node);
    if (!by_url) {
      EXPECT_EQ(*node, frontier_->page({url(3), {}, {}})->idx.value);
    }
  }
}

TEST_F(GraphOfStore, IsThatOfOneMomentWhileReportsGoOn) {
  open();
  crawl_some(0, 500);
  std::atomic<bool> stop = false;
  std::thread reporting([&] {
    for (uint64_t page = 500; page < 100'000 && !stop; ++page) crawl_some(page, page + 1);
  });
  for (int round = 0; round < 5; ++round) {
    const uint64_t before = frontier_->stats()->links;
    ASSERT_TRUE(frontier_->build_graph("/graph", {}));
    const auto graph = must(Graph::open(disk_, "/graph"));
    EXPECT_GE(graph->links(), before);
    EXPECT_TRUE(graph->check([](const std::string& problem) { ADD_FAILURE() << problem; }));
  }
  stop = true;
  reporting.join();
}

}  // namespace
}  // namespace aduana
