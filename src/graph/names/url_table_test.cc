#include "graph/names/url_table.h"

#include <gtest/gtest.h>

#include <map>

#include "graph/names/written_table.h"

namespace aduana {
namespace {

class UrlTableTest : public testing::TestWithParam<bool> {
 protected:
  WrittenTable written(const std::vector<std::string>& urls) { return {urls, GetParam(), UrlTableOptions()}; }

  // Every URL is found and comes back; others are not there.
  void expect_all(const std::vector<std::string>& urls) {
    WrittenTable file = written(urls);
    const UrlTable table = must(file.open());
    EXPECT_EQ(problems_of(table), std::vector<std::string>());
    ASSERT_EQ(table.nodes(), urls.size());
    const auto number = [&](Node i) { return GetParam() ? file.positions[i] : i; };
    std::map<std::string, Node> first;
    for (Node i = 0; i < urls.size(); ++i) first.try_emplace(urls[i], number(i));
    for (Node i = 0; i < urls.size(); ++i) {
      ASSERT_EQ(must(table.url(number(i))), urls[i]);
      ASSERT_EQ(must(table.find(urls[i])), first[urls[i]]) << urls[i];
      for (const std::string& other : {urls[i] + "x", urls[i] + "/", urls[i].substr(0, urls[i].size() / 2)}) {
        if (first.count(other)) continue;
        ASSERT_EQ(must(table.find(other)), std::nullopt) << other;
      }
    }
    EXPECT_EQ(table.url(urls.size()).error().code(), Code::not_found);
    EXPECT_EQ(must(table.find("https://not.there/")), std::nullopt);
    EXPECT_EQ(must(table.find("")), first.count("") ? std::optional(first[""]) : std::nullopt);
    EXPECT_EQ(must(table.find("zzzz://zz.zz/")), std::nullopt);
  }
};

INSTANTIATE_TEST_SUITE_P(Renumbered, UrlTableTest, testing::Bool());

TEST_P(UrlTableTest, NoneOneAndABlockOrTwo) {
  for (const size_t n : {0, 1, 2, 15, 16, 17, 31, 32, 33}) expect_all(random_urls(n, n));
  expect_all({""});
}

TEST_P(UrlTableTest, ManyRandomUrls) {
  for (uint64_t seed = 0; seed < 30; ++seed) expect_all(random_urls(seed, seed * 37));
  expect_all(random_urls(1, 20'000));
}

TEST_P(UrlTableTest, RandomBytes) {
  std::mt19937_64 random(5);
  std::vector<std::string> urls(3000);
  for (std::string& url : urls)
    for (size_t n = random() % 6; n > 0; --n) url.push_back(static_cast<char>(random() % 2 ? 'a' : random()));
  expect_all(urls);
}

TEST_P(UrlTableTest, OfEqualUrlsTheFirstIsFound) {
  std::vector<std::string> urls(100, "https://example.com/");
  expect_all(urls);
  for (size_t i = 0; i < urls.size(); i += 3) urls[i] = "https://example.com/b";
  urls[50] = "https://example.com/a";
  expect_all(urls);
}

TEST_P(UrlTableTest, VeryLongUrls) {
  std::vector<std::string> urls = random_urls(6, 40);
  for (const size_t at : {3, 4, 20}) urls[at] = "https://example.com/" + std::string(1 << 20, 'y') + urls[at];
  expect_all(urls);
}

TEST_P(UrlTableTest, AFlippedBitIsNoticedWhereverItIs) {
  WrittenTable file = written(random_urls(7, 300));
  for (const ByteRange& range : {file.places.names, file.places.offsets, file.places.positions, file.places.nodes}) {
    for (uint64_t at = range.begin; at < range.end; ++at) {
      file.bytes[at] ^= 8;
      // A small file is one chunk: opening looks at all of it.
      const auto table = file.open();
      ASSERT_FALSE(table) << at;
      ASSERT_EQ(table.error().code(), Code::corrupt);
      file.bytes[at] ^= 8;
    }
  }
  must(file.open());
}

TEST_P(UrlTableTest, DamageOfALargeFileIsNoticedWhereItIsLookedAt) {
  const std::vector<std::string> urls = random_urls(8, 60'000);
  WrittenTable file = written(urls);
  const auto expect_noticed = [&](const ByteRange& range) {
    file.bytes[range.begin + range.size() / 2] ^= 1;
    const UrlTable table = must(file.open());
    size_t damaged = 0;
    for (Node i = 0; i < urls.size(); ++i) {
      const auto found = table.find(urls[i]);
      const auto url = table.url(GetParam() ? file.positions[i] : i);
      damaged += !url;
      ASSERT_TRUE(found || found.error().code() == Code::corrupt);
      ASSERT_TRUE(!url || *url == urls[i]);
    }
    EXPECT_GT(damaged, 1000u);
    EXPECT_LT(damaged, urls.size());
    EXPECT_EQ(problems_of(table).size(), 1u);
    file.bytes[range.begin + range.size() / 2] ^= 1;
  };
  expect_noticed(file.places.names);
  if (!GetParam()) expect_noticed(file.places.positions);
}

TEST_P(UrlTableTest, NonsenseWithRightChecksumsIsAnErrorOrAnAnswer) {
  const std::vector<std::string> urls = random_urls(9, 100);
  const WrittenTable whole = written(urls);
  std::mt19937_64 random(10);
  size_t refused = 0, told = 0;
  for (int round = 0; round < 3000; ++round) {
    WrittenTable file = written({});
    file.bytes = whole.bytes;
    file.places = whole.places;
    file.nodes = whole.nodes;
    for (size_t n = 1 + random() % 4; n > 0; --n) {
      const ByteRange ranges[] = {file.places.names, file.places.offsets, file.places.positions, file.places.nodes};
      const ByteRange& range = ranges[random() % 4];
      if (range.size()) file.bytes[range.begin + random() % range.size()] = static_cast<char>(random());
    }
    if (random() % 8 == 0) file.places.names.end -= random() % 3;
    if (random() % 8 == 0) file.nodes += random() % 3 ? 1 : random();
    const auto table = file.open_trusting();
    if (!table) {
      ASSERT_EQ(table.error().code(), Code::corrupt);
      ++refused;
      continue;
    }
    for (Node i = 0; i < urls.size(); ++i) {
      const auto url = table->url(i);
      ASSERT_TRUE(url || url.error().code() == Code::corrupt);
      const auto found = table->find(urls[i]);
      ASSERT_TRUE(found || found.error().code() == Code::corrupt);
    }
    told += !problems_of(*table).empty();
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(told, 500u);
}

TEST(UrlTableCheck, TellsOfAPermutationThatIsNone) {
  WrittenTable file(random_urls(11, 200), false, UrlTableOptions());
  file.bytes[file.places.nodes.begin + 20] ^= 1;
  const UrlTable table = must(file.open_trusting());
  EXPECT_FALSE(problems_of(table).empty());
}

TEST(UrlTablePlaces, BeyondTheFileAreRefused) {
  WrittenTable file(random_urls(12, 200), false, UrlTableOptions());
  const UrlTable::Places good = file.places;
  for (ByteRange UrlTable::Places::*range :
       {&UrlTable::Places::names, &UrlTable::Places::offsets, &UrlTable::Places::positions, &UrlTable::Places::nodes}) {
    for (const ByteRange bad : {ByteRange{0, ~0ull}, ByteRange{~0ull, 0}, ByteRange{5, 4}}) {
      file.places = good;
      file.places.*range = bad;
      const auto table = file.open();
      ASSERT_FALSE(table);
      EXPECT_EQ(table.error().code(), Code::corrupt);
    }
  }
}

}  // namespace
}  // namespace aduana
