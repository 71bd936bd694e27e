#include "links/link_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/varint.h"

namespace aduana {
namespace {

using Indices = std::vector<uint64_t>;

std::vector<PageIdx> pages_of(const Indices& indices) {
  std::vector<PageIdx> pages;
  for (uint64_t i : indices) pages.push_back(PageIdx{i});
  return pages;
}

Indices indices_of(const std::vector<PageIdx>& pages) {
  Indices indices;
  for (PageIdx page : pages) indices.push_back(page.value);
  return indices;
}

std::string bytes_of(uint64_t page, const Indices& other_hosts, const Indices& same_host) {
  std::string bytes;
  auto others = pages_of(other_hosts), same = pages_of(same_host);
  append_link_list(bytes, PageIdx{page}, others, same);
  return bytes;
}

void expect_round_trip(uint64_t page, Indices other_hosts, Indices same_host) {
  const std::string bytes = bytes_of(page, other_hosts, same_host);
  for (Indices* group : {&other_hosts, &same_host}) {
    std::sort(group->begin(), group->end());
    group->erase(std::unique(group->begin(), group->end()), group->end());
  }
  LinkList links;
  ASSERT_TRUE(read_link_list(bytes, PageIdx{page}, links));
  EXPECT_EQ(links.other_hosts, other_hosts.size());
  EXPECT_EQ(count_links(bytes), other_hosts.size() + same_host.size());
  other_hosts.insert(other_hosts.end(), same_host.begin(), same_host.end());
  EXPECT_EQ(indices_of(links.targets), other_hosts);
}

constexpr uint64_t kLast = kMaxPages - 1;

TEST(LinkList, NoLinksNoBytes) {
  EXPECT_EQ(bytes_of(5, {}, {}), "");
  LinkList links;
  links.targets.resize(3);
  links.other_hosts = 2;
  EXPECT_TRUE(read_link_list("", PageIdx{5}, links));
  EXPECT_TRUE(links.targets.empty());
  EXPECT_EQ(links.other_hosts, 0u);
  EXPECT_EQ(count_links(""), 0u);
}

TEST(LinkList, BothGroupsComeBackApart) {
  expect_round_trip(10, {1, 2, 30}, {9, 11});
  expect_round_trip(10, {30}, {});
  expect_round_trip(10, {}, {30});
  expect_round_trip(10, {11, 12}, {11, 12});
}

TEST(LinkList, IsAppendedBehindWhatIsThere) {
  std::string bytes = "before";
  std::vector<PageIdx> others = {PageIdx{2}}, same;
  append_link_list(bytes, PageIdx{1}, others, same);
  EXPECT_EQ(bytes, "before" + bytes_of(1, {2}, {}));
}

TEST(LinkList, IsAsDocumented) { EXPECT_EQ(bytes_of(10, {8, 12, 13}, {11}), std::string("\x03\x03\x03\x00\x02", 5)); }

TEST(LinkList, DoublesAreDroppedAndOrderDoesNotMatter) {
  expect_round_trip(10, {7, 7, 3, 7, 3}, {100, 100});
  EXPECT_EQ(bytes_of(10, {7, 7, 3}, {100, 100}), bytes_of(10, {3, 7}, {100}));
}

TEST(LinkList, LinksToThePageItselfAreKept) {
  expect_round_trip(10, {}, {10});
  expect_round_trip(0, {0}, {0});
  expect_round_trip(10, {9, 10, 11}, {9, 10, 11});
}

TEST(LinkList, FirstTargetMayLieBeforeThePage) {
  expect_round_trip(1'000'000, {0}, {999'999});
  expect_round_trip(kLast, {0}, {0, kLast});
}

TEST(LinkList, VarintsOfTheOriginalBrokeAt2To31) {
  for (int bits : {31, 32, 39}) {
    const uint64_t edge = 1ull << bits;
    expect_round_trip(0, {edge - 1, edge, edge + 1}, {edge});
    expect_round_trip(edge, {0, 2 * edge - 3}, {edge - 1, edge + 1});
  }
  expect_round_trip(0, {kLast}, {0, kLast});
}

TEST(LinkList, ALargeOneComesBack) {
  std::mt19937_64 random(3);
  Indices others, same;
  for (int i = 0; i < 50'000; ++i) {
    others.push_back(random() % kMaxPages);
    same.push_back(random() % 200'000);
  }
  expect_round_trip(100'000, others, same);
}

TEST(LinkList, DenseLinksTakeAByteEach) {
  Indices same(100'000);
  for (size_t i = 0; i < same.size(); ++i) same[i] = 5 + i;
  EXPECT_EQ(bytes_of(5, {}, same).size(), 100'001u);
  expect_round_trip(5, {}, same);
}

TEST(LinkList, MoreOtherHostsThanLinksIsNoList) {
  LinkList links;
  EXPECT_FALSE(read_link_list(std::string("\x02\x00", 2), PageIdx{1}, links));
  EXPECT_FALSE(read_link_list("\x7f", PageIdx{1}, links));
  std::string huge;
  append_varint(huge, ~0ull);
  EXPECT_FALSE(read_link_list(huge, PageIdx{1}, links));
}

TEST(LinkList, CutWithinANumberIsNoList) {
  const std::string bytes = bytes_of(0, {1000, 1'000'000}, {1ull << 39});
  LinkList links;
  for (size_t n = 1; n < bytes.size(); ++n) {
    const std::string cut = bytes.substr(0, n);
    const bool whole_numbers = !(cut.back() & 0x80), enough = count_links(cut) >= 2;
    EXPECT_EQ(read_link_list(cut, PageIdx{0}, links), whole_numbers && enough) << n;
  }
}

TEST(LinkList, TargetsThatNoPageCanHaveAreNoList) {
  LinkList links;
  std::string before_zero, beyond_all, wrapped;
  append_varint(before_zero, 1);
  append_zigzag(before_zero, -6);
  EXPECT_FALSE(read_link_list(before_zero, PageIdx{5}, links));
  append_varint(beyond_all, 1);
  append_zigzag(beyond_all, static_cast<int64_t>(kMaxPages));
  EXPECT_FALSE(read_link_list(beyond_all, PageIdx{5}, links));
  append_varint(wrapped, 2);
  append_zigzag(wrapped, 0);
  append_varint(wrapped, ~0ull);
  EXPECT_FALSE(read_link_list(wrapped, PageIdx{5}, links));
}

TEST(LinkList, NoiseIsNeverACrash) {
  std::mt19937_64 random(11);
  LinkList links;
  for (int round = 0; round < 50'000; ++round) {
    std::string noise(random() % 24, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    if (read_link_list(noise, PageIdx{random() % kMaxPages}, links)) {
      EXPECT_EQ(links.targets.size(), count_links(noise));
      EXPECT_LE(links.other_hosts, links.targets.size());
    }
  }
}

}  // namespace
}  // namespace aduana
