#include "graph/edges/link_sorter.h"

#include <gtest/gtest.h>

#include <numeric>

#include "aduana/page.h"
#include "base/simulated_disk.h"
#include "graph/edges/listed_links.h"

namespace aduana {
namespace {

// The obvious way.
LinkVector sorted(LinkVector links) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

Node nodes_of(const LinkVector& links) {
  Node nodes = 0;
  for (const auto& [from, to] : links) nodes = std::max({nodes, from + 1, to + 1});
  return nodes;
}

class LinkSorterTest : public testing::Test {
 protected:
  SortOptions options(uint64_t memory_bytes, int threads) {
    SortOptions options;
    options.memory_bytes = memory_bytes;
    options.threads = threads;
    options.folder = "/";
    options.files = &disk_;
    return options;
  }

  void expect_sorted(SortedLinks& links, const LinkVector& expected) {
    EXPECT_EQ(links.links(), expected.size());
    EXPECT_EQ(links.nodes(), nodes_of(expected));
    EXPECT_EQ(must(read_links(links)), expected);
  }

  // With every budget and number of threads.
  void expect_sorts(const LinkVector& links) {
    const LinkVector expected = sorted(links);
    for (const uint64_t memory : {64 << 10, 100 << 10, 1 << 20, 64 << 20}) {
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(testing::Message() << memory << " bytes, " << threads << " threads");
        ListedLinks source(links);
        const auto result = must(sort_links(source, options(memory, threads)));
        expect_sorted(*result, expected);
        EXPECT_TRUE(must(disk_.list("/")).empty());
      }
    }
  }

  SimulatedDisk disk_;
};

TEST_F(LinkSorterTest, SortsWhatStdSortSorts) {
  for (const size_t n : {0, 1, 2, 3, 1000, 2304, 2305, 3456, 3457, 10'000, 300'000}) {
    SCOPED_TRACE(testing::Message() << n << " links");
    expect_sorts(random_links(n, n, n + 1));
  }
}

TEST_F(LinkSorterTest, SortsAllSizesOfNumbers) {
  for (const int bits : {1, 8, 11, 12, 22, 23, 31, 32, 33, 39}) {
    SCOPED_TRACE(testing::Message() << bits << " bits");
    expect_sorts(random_links(1, 20'000, Node{1} << bits));
  }
}

TEST_F(LinkSorterTest, LargeNumbersMayComeLate) {
  LinkVector links = random_links(1, 100'000, 1000);
  for (const size_t at : {900, 3000, 30'000, 99'999}) links[at].to += Node{1} << 39;
  expect_sorts(links);
}

TEST_F(LinkSorterTest, NumbersAreBelowTheMostPages) {
  expect_sorts({{kMaxPages - 1, 0}, {0, kMaxPages - 1}});
  ListedLinks source({{1, kMaxPages}});
  const auto result = sort_links(source, options(1 << 20, 1));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), Code::too_large);
}

TEST_F(LinkSorterTest, DropsDoubles) {
  expect_sorts(random_links(1, 50'000, 10));
  expect_sorts(LinkVector(50'000, {3, 4}));
}

TEST_F(LinkSorterTest, SortsWhatIsSortedAlready) {
  LinkVector links = sorted(random_links(1, 50'000, 5000));
  expect_sorts(links);
  std::reverse(links.begin(), links.end());
  expect_sorts(links);
}

TEST_F(LinkSorterTest, ManyRunsAreMergedInSeveralPasses) {
  // 64 KiB hold some 2300 links, and up to 34 runs are merged at a time: there are three levels of runs.
  const LinkVector links = random_links(7, 3'000'000, 1'000'000);
  ListedLinks source(links);
  const auto result = must(sort_links(source, options(64 << 10, 2)));
  expect_sorted(*result, sorted(links));
}

TEST_F(LinkSorterTest, CanBeReadSeveralTimes) {
  const LinkVector links = random_links(1, 50'000, 20'000);
  for (const uint64_t memory : {64 << 10, 64 << 20}) {
    ListedLinks source(links);
    const auto result = must(sort_links(source, options(memory, 2)));
    for (const size_t at_a_time : {1, 17, 60'000}) {
      EXPECT_EQ(must(read_links(*result, at_a_time)), sorted(links));
      must(result->reset());
    }
    std::vector<NodeLink> some(100);
    EXPECT_EQ(must(result->next(some)), some.size());
    must(result->reset());
    EXPECT_EQ(must(read_links(*result)), sorted(links));
  }
}

TEST_F(LinkSorterTest, ReadsTheSourceFromItsStart) {
  const LinkVector links = random_links(1, 100, 50);
  ListedLinks source(links);
  EXPECT_EQ(must(read_links(source)), links);
  expect_sorted(*must(sort_links(source, options(1 << 20, 1))), sorted(links));
}

TEST_F(LinkSorterTest, Transposes) {
  const LinkVector links = random_links(1, 30'000, 5000);
  LinkVector turned;
  for (const auto& [from, to] : links) turned.push_back({to, from});
  for (const uint64_t memory : {64 << 10, 64 << 20}) {
    SortOptions transposed = options(memory, 2);
    transposed.transposed = true;
    ListedLinks source(links);
    expect_sorted(*must(sort_links(source, transposed)), sorted(turned));
  }
}

TEST_F(LinkSorterTest, Renumbers) {
  std::vector<Node> map(5000);
  std::iota(map.begin(), map.end(), 0);
  std::shuffle(map.begin(), map.end(), std::mt19937(1));
  const LinkVector links = random_links(1, 30'000, 5000);
  LinkVector renumbered;
  for (const auto& [from, to] : links) renumbered.push_back({map[to], map[from]});
  SortOptions with_map = options(64 << 10, 2);
  with_map.map = map;
  with_map.transposed = true;
  ListedLinks source(links);
  expect_sorted(*must(sort_links(source, with_map)), sorted(renumbered));

  with_map.map = with_map.map.first(4000);
  const auto result = sort_links(source, with_map);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), Code::invalid);
}

TEST_F(LinkSorterTest, PagesMayBeWithoutLinks) {
  ListedLinks source({{3, 4}});
  SortOptions more = options(1 << 20, 1);
  more.nodes = 10;
  EXPECT_EQ(must(sort_links(source, more))->nodes(), 10u);
  more.nodes = 2;
  EXPECT_EQ(must(sort_links(source, more))->nodes(), 5u);
}

TEST_F(LinkSorterTest, TooLittleMemoryIsAnError) {
  ListedLinks source({{3, 4}});
  const auto result = sort_links(source, options(kLeastSortMemory - 1, 1));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), Code::invalid);
}

}  // namespace
}  // namespace aduana
