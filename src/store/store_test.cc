// The store as its users see it: what goes in, what comes out, what is refused.

#include "store/store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/simulated_disk.h"
#include "store/naive_store.h"
#include "store/random_crawl.h"

namespace aduana {
namespace {

constexpr const char* kDir = "/store";

StoreOptions small_options() {
  StoreOptions options;
  options.create = true;
  options.background = false;
  options.pages.index.cache_bytes = 4096;
  return options;
}

std::unique_ptr<Store> open_store(FileSystem& fs, const StoreOptions& options = small_options()) {
  auto store = Store::open(fs, kDir, options);
  EXPECT_TRUE(store) << store.error().message();
  return store ? std::move(*store) : nullptr;
}

Instant at(int64_t seconds) { return Instant{std::chrono::seconds(seconds)}; }

PageOutcome report(Store& store, std::string_view url, const std::vector<ReportedLink>& links, float score = 0,
                   int64_t seconds = 1000, std::string_view hash = {}) {
  const ReportedPage page{url, score, at(seconds), hash, links, std::nullopt};
  auto result = store.report({&page, 1});
  EXPECT_TRUE(result) << result.error().message();
  return result ? result->pages.at(0) : PageOutcome{};
}

void expect_clean(Store& store) {
  std::vector<std::string> problems;
  const Status checked = store.check([&](const std::string& problem) { problems.push_back(problem); });
  EXPECT_TRUE(checked);
  EXPECT_TRUE(problems.empty()) << problems.size() << " problems, the first: " << problems.front();
}

TEST(Store, ACrawledPageAndItsLinksAreKnown) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  report(*store, "http://scrapinghub.com",
         {{"http://scrapinghub.com/platform/", 0.5f}, {"https://other.org/x#part", 1}}, 0.5f, 1434000000, "abc");
  const auto page = store->page("http://scrapinghub.com/");
  ASSERT_TRUE(page) << page.error().message();
  EXPECT_EQ(page->idx.value, 0u);
  EXPECT_EQ(page->url, "http://scrapinghub.com/");
  EXPECT_EQ(page->host, "scrapinghub.com");
  EXPECT_EQ(page->state, PageState::done);
  EXPECT_EQ(page->linked_from_hash, 0u);
  EXPECT_EQ(page->depth, 0u);
  EXPECT_EQ(page->n_crawls, 1u);
  EXPECT_EQ(page->first_crawl, at(1434000000));
  EXPECT_EQ(page->content_hash, "abc");
  EXPECT_FLOAT_EQ(page->score, 0.5f);

  const auto link = store->page("https://other.org/x");
  ASSERT_TRUE(link) << link.error().message();
  EXPECT_EQ(link->state, PageState::known);
  EXPECT_EQ(link->linked_from, page->idx);
  EXPECT_EQ(link->linked_from_hash, page->hash);
  EXPECT_EQ(link->depth, 1u);
  EXPECT_EQ(link->n_crawls, 0u);
  EXPECT_FLOAT_EQ(link->score, 1.0f);

  const auto links = store->links_of(page->idx);
  ASSERT_TRUE(links);
  EXPECT_EQ(links->other_hosts, 1u);
  EXPECT_EQ(links->targets, (std::vector<PageIdx>{PageIdx{2}, PageIdx{1}}));
  expect_clean(*store);
}

TEST(Store, DepthAndLinkedFromAreFixedAtFirstSight) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  report(*store, "http://a/", {{"http://a/1"}});
  report(*store, "http://a/1", {{"http://a/2"}});
  report(*store, "http://seed/", {{"http://a/2"}});
  const auto page = store->page("http://a/2");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->depth, 2u);
  EXPECT_EQ(page->linked_from, store->page("http://a/1")->idx);
  const auto path = store->path(page->idx);
  ASSERT_TRUE(path);
  ASSERT_EQ(path->size(), 3u);
  EXPECT_EQ((*path)[0].url, "http://a/");
  EXPECT_EQ((*path)[2].url, "http://a/2");
}

TEST(Store, ARecrawlCountsChangesOfTheContentHashAndReplacesLinksAndScore) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  report(*store, "http://a/", {{"http://a/1"}, {"http://b/1"}}, 0.1f, 100, "one");
  report(*store, "http://a/", {{"http://a/3"}}, 0.2f, 200, "one");
  report(*store, "http://a/", {{"http://a/2"}}, 0.3f, 300, std::string(300, 'x'));
  report(*store, "http://a/", {}, 0.4f, 250, "late");  // counted, but the page is as it was seen at 300
  const auto page = store->page("http://a/");
  EXPECT_EQ(page->n_crawls, 4u);
  EXPECT_EQ(page->n_changes, 1u);
  EXPECT_EQ(page->first_crawl, at(100));
  EXPECT_EQ(page->last_crawl, at(300));
  EXPECT_EQ(page->content_hash, std::string(300, 'x'));
  EXPECT_FLOAT_EQ(page->score, 0.3f);
  EXPECT_EQ(store->links_of(page->idx)->targets.size(), 1u);
  EXPECT_EQ(store->info()->links, 1u);
  expect_clean(*store);
}

TEST(Store, RelativeLinksAreResolvedAgainstThePage) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  report(*store, "http://a/dir/page", {{"../up"}, {"?q=1"}, {"//b/c"}});
  EXPECT_TRUE(store->find("http://a/up"));
  EXPECT_TRUE(store->find("http://a/dir/page?q=1"));
  EXPECT_TRUE(store->find("http://b/c"));
}

TEST(Store, LinksToItselfAndDoublesAreKeptOnce) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  report(*store, "http://a/", {{"http://a/"}, {"http://a/#x"}, {"HTTP://A:80/./"}, {"http://b/"}, {"http://b/"}});
  const auto links = store->links_of(PageIdx{0});
  EXPECT_EQ(links->targets, (std::vector<PageIdx>{PageIdx{1}, PageIdx{0}}));
  EXPECT_EQ(store->info()->pages.urls(), 2u);
  expect_clean(*store);
}

TEST(Store, ScoresThatAreNotFiniteAreRefused) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  for (const float bad :
       {std::nanf(""), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    const auto page = report(*store, "http://a/", {}, bad);
    ASSERT_TRUE(page.error);
    EXPECT_EQ(page.error->code(), Code::invalid);
    const auto links = report(*store, "http://b/", {{"http://c/", bad}, {"http://d/", 1}});
    EXPECT_FALSE(links.error);
    ASSERT_EQ(links.refused.size(), 1u);
    EXPECT_EQ(links.refused[0].link, 0u);
  }
  EXPECT_FALSE(store->find("http://a/"));
  EXPECT_FALSE(store->find("http://c/"));
  EXPECT_TRUE(store->find("http://d/"));
}

TEST(Store, AUrlOf64KiBIsKeptWholeAndALongerOneRefusedAloneWithTheLimit) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  const std::string longest = "http://a/" + std::string(kMaxUrlBytes - 9, 'x');
  const std::string too_long = "http://a/" + std::string(70000, 'y');
  const auto outcome = report(*store, "http://b/", {{too_long}, {longest}, {"http://c/"}});
  ASSERT_EQ(outcome.refused.size(), 1u);
  EXPECT_EQ(outcome.refused[0].link, 0u);
  EXPECT_EQ(outcome.refused[0].error.code(), Code::too_large);
  EXPECT_NE(outcome.refused[0].error.message().find("65536"), std::string::npos) << outcome.refused[0].error.message();
  EXPECT_EQ(store->page(longest)->url, longest);
  EXPECT_TRUE(store->find("http://c/"));
  EXPECT_EQ(report(*store, too_long, {}).error->code(), Code::too_large);
  ASSERT_TRUE(store->close());
  store = open_store(disk);
  EXPECT_EQ(store->page(longest)->url, longest);
  expect_clean(*store);
}

TEST(Store, EmptyInputControlBytesAndInvalidUtf8AreNoTrouble) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  ASSERT_TRUE(store->report({}));
  EXPECT_TRUE(report(*store, "", {}).error);
  EXPECT_TRUE(report(*store, "not a url", {}).error);
  const std::string nul("http://a/\0b", 11);
  const auto outcome =
      report(*store, "http://a/\x01\x7f", {{nul}, {"http://a/\xff\xfe"}, {""}, {"http://[::1"}, {"\t http://b/ \n"}});
  EXPECT_FALSE(outcome.error);
  EXPECT_TRUE(store->find("http://a/%01%7F"));
  EXPECT_TRUE(store->find("http://a/%00b"));
  EXPECT_TRUE(store->find("http://a/%EF%BF%BD%EF%BF%BD"));
  EXPECT_TRUE(store->find("http://b/"));
  ASSERT_EQ(outcome.refused.size(), 1u);  // an empty link is the page itself
  EXPECT_EQ(outcome.refused[0].link, 3u);
  expect_clean(*store);
}

TEST(Store, APageWithAHundredThousandLinks) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  std::vector<std::string> urls;
  for (int i = 0; i < 100000; ++i) urls.push_back("http://h" + std::to_string(i % 1000) + "/p" + std::to_string(i));
  std::vector<ReportedLink> links(urls.begin(), urls.end());
  report(*store, "http://h1/", links);
  EXPECT_EQ(store->info()->links, 100000u);
  EXPECT_EQ(store->links_of(PageIdx{0})->targets.size(), 100000u);
  ASSERT_TRUE(store->close());
  store = open_store(disk);
  EXPECT_EQ(store->info()->pages.urls(), 100001u);
  expect_clean(*store);
}

// The original lost 50 of a million URLs of one host to collisions of 32 bits.
TEST(Store, AMillionUrlsOfOneHostNoneLostNoneDoubled) {
  SimulatedDisk disk;
  StoreOptions options = small_options();
  options.pages.index.cache_bytes = 16 << 20;
  options.pages.index.memtable_entries = 100'000;
  auto store = open_store(disk, options);
  for (int round = 0; round < 2; ++round) {
    std::vector<std::string> texts(10000);
    std::vector<Discovery> urls(10000);
    uint64_t added = 0;
    for (int i = 0; i < 1'000'000;) {
      for (int k = 0; k < 10000; ++k, ++i) {
        texts[static_cast<size_t>(k)] = "http://one.example/" + std::to_string(i);
        urls[static_cast<size_t>(k)] = {texts[static_cast<size_t>(k)], 0, {}};
      }
      const auto result = store->discover(urls);
      ASSERT_TRUE(result);
      added += result->new_urls;
    }
    EXPECT_EQ(added, round == 0 ? 1'000'000u : 0u);
  }
  EXPECT_EQ(store->info()->pages.urls(), 1'000'000u);
  EXPECT_EQ(store->info()->hosts, 1u);
  expect_clean(*store);
}

TEST(Store, AMillionHostsOfOneUrlNoneLostNoneDoubled) {
  SimulatedDisk disk;
  StoreOptions options = small_options();
  options.pages.index.cache_bytes = 16 << 20;
  auto store = open_store(disk, options);
  std::vector<std::string> texts(10000);
  std::vector<Discovery> urls(10000);
  for (int i = 0; i < 1'000'000;) {
    for (int k = 0; k < 10000; ++k, ++i) {
      texts[static_cast<size_t>(k)] = "http://host" + std::to_string(i) + ".example/";
      urls[static_cast<size_t>(k)] = {texts[static_cast<size_t>(k)], 0, {}};
    }
    ASSERT_TRUE(store->discover(urls));
  }
  EXPECT_EQ(store->info()->hosts, 1'000'000u);
  ASSERT_TRUE(store->close());
  store = open_store(disk, options);
  EXPECT_EQ(store->info()->pages.urls(), 1'000'000u);
  EXPECT_EQ(store->page("http://host765432.example/")->idx.value, 765432u);
  expect_clean(*store);
}

TEST(Store, EqualsTheNaiveStoreAlsoAfterReopeningCompactionAndInBatches) {
  SimulatedDisk disk;
  StoreOptions options = small_options();
  options.pages.index.memtable_entries = 100;
  options.pages.records_bytes = 0;  // as few chunks in memory as possible
  options.checkpoint_bytes = 6000;
  auto store = open_store(disk, options);
  NaiveStore model;
  RandomCrawl crawl(7, 40, 300);
  for (int i = 1; i <= 20000; ++i) {
    const auto& step = crawl.next();
    RandomCrawl::apply(step, model);
    ASSERT_TRUE(RandomCrawl::apply(step, *store));
    if (i % 4000 == 0) {
      if (i % 8000 == 0) {
        ASSERT_TRUE(store->compact());
      }
      ASSERT_TRUE(store->close());
      store = open_store(disk, options);
      ASSERT_EQ(*NaiveStore::digest_of(store->snapshot()), model.digest()) << "after " << i;
    }
  }
  EXPECT_EQ(store->info()->links, model.links());
  expect_clean(*store);
}

TEST(Store, MetadataStaysUntilItIsReplaced) {
  SimulatedDisk disk;
  auto store = open_store(disk);
  const Discovery seed{"http://a/", 0.5f, "client bytes"};
  ASSERT_TRUE(store->discover({&seed, 1}));
  EXPECT_EQ(store->page("http://a/")->metadata, "client bytes");
  EXPECT_EQ(store->page("http://a/")->state, PageState::known);
  report(*store, "http://a/", {});
  EXPECT_EQ(store->page("http://a/")->metadata, "client bytes");
  ReportedPage page{"http://a/", 0, at(2'000'000'000), {}, {}, std::string_view("")};
  ASSERT_TRUE(store->report({&page, 1}));
  EXPECT_EQ(store->page("http://a/")->metadata, "");
  expect_clean(*store);
}

TEST(Store, CanonicalOptionsAreThoseTheStoreWasMadeWith) {
  SimulatedDisk disk;
  StoreOptions options = small_options();
  options.canonical.sort_query = true;
  options.canonical.strip_params = CanonicalOptions::tracking_params();
  auto store = open_store(disk, options);
  report(*store, "http://a/?b=1&utm_source=x&a=2", {});
  ASSERT_TRUE(store->close());
  store = open_store(disk);
  EXPECT_TRUE(store->find("http://a/?a=2&b=1"));
  EXPECT_TRUE(store->find("http://a/?b=1&a=2&utm_medium=y"));
}

}  // namespace
}  // namespace aduana
