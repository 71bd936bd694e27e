#include "generated_links.h"

#include <gtest/gtest.h>

#include "base/must.h"

namespace aduana::bench {
namespace {

std::vector<NodeLink> all_links(LinkSource& source) {
  std::vector<NodeLink> links, batch(777);
  while (const size_t n = must(source.next(batch))) {
    links.insert(links.end(), batch.begin(), batch.begin() + static_cast<ptrdiff_t>(n));
  }
  return links;
}

TEST(GeneratedLinks, AreTheSameAgain) {
  GeneratedLinks first(100'000), second(100'000), other(100'000, 2);
  const auto links = all_links(first);
  EXPECT_TRUE(all_links(second) == links);
  must(first.reset());
  EXPECT_TRUE(all_links(first) == links);
  EXPECT_FALSE(all_links(other) == links);
}

TEST(GeneratedLinks, AreWhatTheySay) {
  GeneratedLinks generated(1'000'000);
  const auto links = all_links(generated);
  EXPECT_NEAR(static_cast<double>(links.size()), 1'000'000, 200'000);
  uint64_t with_links = 0;
  for (size_t i = 0; i < links.size(); ++i) {
    ASSERT_LT(links[i].from, generated.nodes());
    ASSERT_LT(links[i].to, generated.nodes());
    const bool new_page = i == 0 || links[i - 1].from < links[i].from;
    ASSERT_TRUE(new_page || (links[i - 1].from == links[i].from && links[i - 1].to < links[i].to)) << i;
    with_links += new_page;
  }
  EXPECT_NEAR(static_cast<double>(with_links) / static_cast<double>(generated.nodes()), 0.75, 0.01);
}

}  // namespace
}  // namespace aduana::bench
