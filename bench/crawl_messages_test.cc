// The messages of the load are what the server's own reader takes, with all that was to be reported in them.
#include "crawl_messages.h"

#include <gtest/gtest.h>

#include "crawl_workload.h"
#include "serve/rest/crawled_messages.h"

namespace aduana::bench {
namespace {

TEST(CrawlMessages, ReportsAreReadByTheServer) {
  CrawlWorkload workload({.links = 20, .hosts = 10});
  CrawlBatch batch;
  workload.generate(30, batch);
  CrawledMessages read;
  for (const BenchPage& page : batch.pages()) {
    std::string json;
    append_crawled(json, page.url, page);
    json.append(64, '\0');  // that the reader may look at
    const Status taken = read.add(std::string_view(json).substr(0, json.size() - 64));
    ASSERT_TRUE(taken) << taken.error().message();
  }
  const auto pages = read.pages();
  ASSERT_EQ(pages.size(), batch.pages().size());
  for (size_t p = 0; p < pages.size(); ++p) {
    const BenchPage& page = batch.pages()[p];
    EXPECT_EQ(pages[p].url, page.url);
    EXPECT_NEAR(pages[p].score, page.score, 0.001);
    ASSERT_EQ(pages[p].links.size(), page.links.size());
    for (size_t i = 0; i < page.links.size(); ++i) {
      EXPECT_EQ(pages[p].links[i].url, page.links[i].url);
      EXPECT_NEAR(pages[p].links[i].score, page.links[i].score, 0.001);
    }
  }
}

TEST(CrawlMessages, BodiesHaveTheirLength) {
  EXPECT_EQ(get_message("/request?n=10"), "GET /request?n=10 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(post_message("/crawled", kLines, "{}\n"),
            "POST /crawled HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 3\r\n"
            "\r\n{}\n");
}

TEST(CrawlMessages, FindsTheUrlsOfAnAnswer) {
  EXPECT_TRUE(urls_in("[]").empty());
  const auto urls = urls_in(R"(["http://a.example/","http://b.example/?q=1,2"])");
  ASSERT_EQ(urls.size(), 2u);
  EXPECT_EQ(urls[0], "http://a.example/");
  EXPECT_EQ(urls[1], "http://b.example/?q=1,2");
}

}  // namespace
}  // namespace aduana::bench
