#include "crawl_workload.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "url/canonical.h"

namespace aduana::bench {
namespace {

std::string text_of(UrlId id) {
  char text[kLongestUrlText];
  return std::string(text, static_cast<size_t>(write_url(id, text) - text));
}

std::string canonical(std::string_view url) {
  Canonicalizer canonicalizer;
  auto view = canonicalizer.canonicalize(url);
  return view ? std::string(view->text) : "error: " + view.error().message();
}

TEST(UrlText, DistinctIdsHaveDistinctTexts) {
  std::set<std::string> texts;
  for (uint64_t host = 0; host < 300; ++host)
    for (uint64_t number = 0; number < 100; ++number) texts.insert(text_of(UrlId(host * 997, number)));
  EXPECT_EQ(texts.size(), 30'000u);
}

TEST(UrlText, IsCanonicalAndSoAreItsDisguisesAfterCanonicalisation) {
  Random random(7);
  for (int n = 0; n < 2000; ++n) {
    const UrlId id(random.below(1'000'000), random.below(1'000'000'000));
    const std::string plain = text_of(id);
    EXPECT_EQ(canonical(plain), plain);
    char text[kLongestUrlText];
    const char* end = write_disguised_url(id, random.next(), text);
    ASSERT_LE(end - text, static_cast<ptrdiff_t>(kLongestUrlText));
    const std::string disguised(text, static_cast<size_t>(end - text));
    EXPECT_NE(disguised, plain);
    EXPECT_EQ(canonical(disguised), plain);
  }
}

TEST(CrawlWorkload, ReportsNameExactlyTheKnownUrls) {
  CrawlWorkload workload({.hosts = 50, .seed = 3});
  std::set<std::string> seen;
  CrawlBatch batch;
  for (int report = 0; report < 20; ++report) {
    workload.generate(50, batch);
    for (const BenchPage& page : batch.pages()) {
      if (!seen.empty()) {
        EXPECT_TRUE(seen.contains(canonical(page.url))) << "crawled but never found: " << page.url;
      }
      seen.insert(canonical(page.url));
      for (const BenchLink& link : page.links) seen.insert(canonical(link.url));
    }
    EXPECT_EQ(seen.size(), workload.known());
  }
}

TEST(CrawlWorkload, HasTheAskedShareOfNewLinks) {
  CrawlWorkload workload({.links = 40, .new_fraction = 0.30});
  CrawlBatch batch;
  uint64_t links = 0;
  for (int report = 0; report < 50; ++report) {
    workload.generate(100, batch);
    links += batch.links();
  }
  EXPECT_NEAR(static_cast<double>(links), 50 * 100 * 40, 50 * 100);
  EXPECT_NEAR(static_cast<double>(workload.known()) / static_cast<double>(links), 0.30, 0.01);
}

TEST(CrawlWorkload, IsTheSameForTheSameSeedWhateverTheBatch) {
  CrawlWorkload one({.seed = 9});
  CrawlWorkload other({.seed = 9});
  CrawlBatch whole;
  CrawlBatch part;
  one.generate(100, whole);
  for (size_t from = 0; from < 100; from += 25) {
    other.generate(25, part);
    for (size_t p = 0; p < 25; ++p) {
      EXPECT_EQ(part.pages()[p].url, whole.pages()[from + p].url);
      EXPECT_EQ(part.pages()[p].content_hash, whole.pages()[from + p].content_hash);
      EXPECT_EQ(part.pages()[p].links.size(), whole.pages()[from + p].links.size());
    }
  }
}

}  // namespace
}  // namespace aduana::bench
