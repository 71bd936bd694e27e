// The server's answers, without a network: requests go straight to the handler. (Sockets:
// src/serve/http/server_test.cc; the whole program: cli_serve_test.cc.)
#include <set>

#include "rest_fixture.h"
#include "serve/rest/report_pieces.h"

namespace aduana {
namespace {

// The messages of 2015, to the byte where a client could depend on it.
TEST_F(RestTest, TheDocumentedExamplesWork) {
  const HttpResponse crawled = post("/crawled",
                                    R"({ "url" : "http://scrapinghub.com",
   "score": 0.5,
   "links": [["http://scrapinghub.com/professional-services/", 1.0],
        ["http://scrapinghub.com/platform/", 0.5],
        ["http://scrapinghub.com/pricing/", 0.8],
        ["http://scrapinghub.com/clients/", 0.9]] })");
  EXPECT_EQ(crawled.status, 201u);
  EXPECT_EQ(crawled.body, "");
  const HttpResponse next = get("/request?n=3");
  EXPECT_EQ(next.status, 200u);
  EXPECT_EQ(next.content_type, "application/json");
  EXPECT_EQ(next.body, R"(["http://scrapinghub.com/professional-services/","http://scrapinghub.com/clients/",)"
                       R"("http://scrapinghub.com/pricing/"])");
}

TEST_F(RestTest, ARequestWithoutNumberGetsTheDefault) {
  for (int i = 0; i < 15; ++i) seed("http://example.com/" + std::to_string(i));
  EXPECT_EQ(list(json(get("/request"))).size(), 10u);
  EXPECT_EQ(get("/request?n=0").body, "[]");
  EXPECT_EQ(list(json(get("/request?n=10000"))).size(), 5u);
}

TEST_F(RestTest, NumbersThatAreNoneAreRefusedByName) {
  for (const char* n :
       {"-1", "abc", "", "1.5", "9223372036854775808", "18446744073709551616", "10001", "1e3", "%31%", "+1"}) {
    const HttpResponse response = get(std::string("/request?n=") + n);
    EXPECT_EQ(response.status, 400u) << n;
    EXPECT_EQ(response.content_type, "text/plain; charset=utf-8");
  }
  EXPECT_NE(get("/request?n=abc").body.find("n must be a whole number"), std::string::npos);
  EXPECT_EQ(get("/request?m=1").status, 400u);
  EXPECT_EQ(get("/request?n=1&n=2").status, 400u);
  EXPECT_EQ(get("/request?lease=-1").status, 400u);
  EXPECT_EQ(get("/request?lease=nan").status, 400u);
  EXPECT_EQ(get("/request?format=xml").status, 400u);
}

TEST_F(RestTest, AFullRequestTellsTheLease) {
  seed("http://example.com/", 0.25f);
  const auto pages = json(get("/request?n=1&format=full&lease=120"));
  const simdjson::dom::element page = pages.at(0);
  EXPECT_EQ(std::string_view(page["url"]), "http://example.com/");
  EXPECT_EQ(double(page["score"]), 0.25);
  EXPECT_EQ(uint64_t(page["depth"]), 0u);
  EXPECT_EQ(double(page["lease_end"]), 1'800'000'120.0);
  clock_.advance(Millis{119'999});
  EXPECT_EQ(get("/request?n=1").body, "[]");
  clock_.advance(Millis{2});
  EXPECT_EQ(get("/request?n=1").body, R"(["http://example.com/"])");
}

TEST_F(RestTest, ARequestCanBeForAFewOfEachHostOrForOneCrawl) {
  for (int i = 0; i < 5; ++i) seed("http://a.com/" + std::to_string(i));
  EXPECT_EQ(list(json(get("/request?per_host=2"))).size(), 2u);
  EXPECT_EQ(post("/crawled", R"({"url":"http://b.com/","links":["http://b.com/1"],"crawl":"other"})").status, 201u);
  EXPECT_EQ(get("/request?crawl=other").body, R"(["http://b.com/1"])");
  EXPECT_EQ(get("/request?crawl=none").body, "[]");
}

TEST_F(RestTest, BadReportsAreRefusedWithAReason) {
  const std::pair<const char*, const char*> kCases[] = {
      {"", "empty"},
      {"  \n ", "empty"},
      {"{", "not JSON"},
      {"{\"url\":\"http://a.com/\"", "not JSON"},
      {"{\"url\":\"http://a.com/\"}}", "not JSON"},
      {"{}", "\"url\" is missing"},
      {"\"http://a.com/\"", "expected an object"},
      {"17", "expected an object"},
      {"{\"url\":17}", "\"url\" must be a string, not a number"},
      {"{\"url\":null}", "\"url\" must be a string, not null"},
      {"{\"url\":\"http://a.com/\",\"score\":\"x\"}", "\"score\" must be a number"},
      {"{\"url\":\"http://a.com/\",\"score\":1e39}", "too large"},
      {"{\"url\":\"http://a.com/\",\"links\":{}}", "\"links\" must be a list"},
      {"{\"url\":\"http://a.com/\",\"links\":[[\"http://b.com/\"]]}", "must be a pair"},
      {"{\"url\":\"http://a.com/\",\"fetch_time\":-1}", "fetch_time"},
      {"{\"url\":\"no url\"}", "no url"},
      {"{\"url\":\"http://a.com/\xff\"}", "UTF-8"},
  };
  for (const auto& [body, reason] : kCases) {
    const HttpResponse response = post("/crawled", body);
    EXPECT_EQ(response.status, 400u) << body;
    EXPECT_NE(response.body.find(reason), std::string::npos) << body << ": " << response.body;
  }
  const std::string deep(100'000, '[');
  EXPECT_EQ(post("/crawled", deep).status, 400u);
  EXPECT_EQ(post("/crawled", "{\"url\":\"http://a.com/\",\"x\":" + deep).status, 400u);
  EXPECT_EQ(frontier_->stats()->urls, 0u);
}

TEST_F(RestTest, ErrorsAreReadableWhateverWasSent) {
  EXPECT_EQ(get("/host?key=a%ff%00%0a%c3%a9").body, "there is no queue a\ufffd\ufffd\ufffdé\n");
}

TEST_F(RestTest, ErrorsAreJsonForWhoAsksForIt) {
  const HttpResponse response = ask(Method::post, "/crawled", "{}", "", "application/json");
  EXPECT_EQ(response.status, 400u);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(std::string_view(json(response)["error"]["code"]), "invalid");
}

TEST(ReportPieces, HoldTheStoreForAWhileOnly) {
  const std::vector<ReportedLink> links(kUrlsOfAPiece);
  const auto page = [&](size_t n) {
    ReportedPage one;
    one.links = std::span(links).first(n);
    return one;
  };
  const std::vector<ReportedPage> few(10, page(10)), many(100'000, page(99)), large(3, page(kUrlsOfAPiece));
  EXPECT_EQ(first_piece({}).size(), 0u);
  EXPECT_EQ(first_piece(few).size(), 10u);
  EXPECT_EQ(first_piece(many).size(), kUrlsOfAPiece / 100);
  EXPECT_EQ(first_piece(large).size(), 1u);
}

// Its pages are reported in pieces, of which nobody learns.
TEST_F(RestTest, ALargeBatchIsOneAnswer) {
  std::string pages;
  for (int i = 0; i < 100; ++i) {
    pages += ",{\"url\":\"http://h" + std::to_string(i) + ".com/\",\"links\":[\"/\"";
    for (int link = 1; link < 1000; ++link) pages += ",\"/" + std::to_string(link) + '"';
    pages += i == 57 ? "]},{\"url\":\"bad\"}" : "]}";
  }
  const auto answer = json(post("/crawled", '[' + pages.substr(1) + ']'));
  EXPECT_EQ(uint64_t(answer["stored"]), 100u);
  EXPECT_EQ(uint64_t(answer["new_urls"]), 100'000u);
  const auto results = list(answer["results"]);
  ASSERT_EQ(results.size(), 101u);
  for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(bool(results.at(i)["ok"]), i != 58) << i;
}

TEST_F(RestTest, EachPageOfABatchHasItsResult) {
  const std::string as_list =
      R"([{"url":"http://a.com/","links":["http://a.com/1","http://a.com/2"]},{"url":"bad"},7,{"url":"http://b.com/"}])";
  const std::string lines =
      "{\"url\":\"http://c.com/\",\"links\":[\"http://c.com/1\",\"http://c.com/2\"]}\n{\"url\":\"bad\"}\r\n\n{oops\n"
      "{\"url\":\"http://d.com/\"}";
  for (const bool as_lines : {false, true}) {
    SCOPED_TRACE(as_lines);
    const HttpResponse response =
        as_lines ? post("/crawled", lines, "application/x-ndjson") : post("/crawled", as_list);
    EXPECT_EQ(response.status, 200u);
    const auto answer = json(response);
    EXPECT_EQ(uint64_t(answer["stored"]), 2u);
    EXPECT_EQ(uint64_t(answer["new_urls"]), 4u);
    std::string told;
    for (const auto result : list(answer["results"])) told += bool(result["ok"]) ? 'y' : 'n';
    EXPECT_EQ(told, "ynny");
  }
  EXPECT_EQ(state("http://a.com/"), PageState::done);
  EXPECT_EQ(state("http://d.com/"), PageState::done);
  EXPECT_EQ(state("http://c.com/1"), PageState::queued);
}

TEST_F(RestTest, LinesAreKnownWithoutTheirContentType) {
  const HttpResponse response = post("/crawled", "{\"url\":\"http://a.com/\"}\n{\"url\":\"http://b.com/\"}\n");
  EXPECT_EQ(response.status, 201u);
  EXPECT_EQ(uint64_t(json(response)["stored"]), 2u);
  // And whose content type says lines are read as lines: this one is a list, not a page.
  EXPECT_EQ(post("/crawled", "[{\"url\":\"http://a.com/\"}]\n", "application/x-ndjson").status, 200u);
  EXPECT_EQ(
      post("/released", "[]\n", "application/x-ndjson").body,
      R"({"done":0,"results":[{"ok":false,"error":{"code":"invalid","message":"expected an object {\"url\": …}"}}]})");
  // One page over several lines is one page.
  EXPECT_EQ(post("/crawled", "{\n\"url\":\n\"http://c.com/\"\n}\n").body, "");
}

TEST_F(RestTest, FailuresEndLeasesAndAreRemembered) {
  for (const char* url : {"http://a.com/", "http://b.com/", "http://c.com/"}) seed(url);
  EXPECT_EQ(list(json(get("/request?n=3"))).size(), 3u);
  EXPECT_EQ(post("/failed", R"({"url":"http://a.com/","kind":"gone","reason":"404"})").body, R"({"ok":true})");
  EXPECT_EQ(state("http://a.com/"), PageState::gone);
  const auto batch =
      json(post("/failed", R"([{"url":"http://b.com/","reason":"timeout"},{"url":"http://x.com/"},{"kind":"gone"},
                                              {"url":"http://c.com/","kind":"sad"}])"));
  EXPECT_EQ(uint64_t(batch["done"]), 1u);
  EXPECT_EQ(state("http://b.com/"), PageState::queued);
  EXPECT_EQ(state("http://c.com/"), PageState::leased);
  EXPECT_EQ(post("/released", R"({"url":"http://c.com/"})").status, 200u);
  EXPECT_EQ(state("http://c.com/"), PageState::queued);
  const auto failures = json(get("/failures"));
  EXPECT_EQ(uint64_t(failures["by_reason"]["404"]), 1u);
  EXPECT_EQ(uint64_t(failures["by_reason"]["timeout"]), 1u);
  EXPECT_EQ(std::string_view(failures["recent"].at(0)["url"]), "http://b.com/");
}

TEST_F(RestTest, AFailureTellsWhichPageItWas) {
  post("/seeds", R"([{"url":"http://a.com/","crawl":"Z","queue":"own"},"http://b.com/"])");
  post("/failed", R"([{"url":"http://b.com/","kind":"gone"},
                      {"url":"http://a.com/","kind":"gone","crawl":"Z","queue":"own"}])");
  const auto recent = list(json(get("/failures"))["recent"]);
  ASSERT_EQ(recent.size(), 2u);
  EXPECT_EQ(std::string_view(recent.at(0)["crawl"]), "Z");
  EXPECT_EQ(std::string_view(recent.at(0)["queue"]), "own");
  EXPECT_EQ(std::string_view(recent.at(1)["crawl"]), "DEFAULT");
  EXPECT_EQ(std::string_view(recent.at(1)["queue"]), "");
}

TEST_F(RestTest, WhatIsSentAgainAfterALostAnswerCountsOnce) {
  const std::string page = R"({"url":"http://a.com/","score":0.5,"links":[["http://b.com/",1],["http://c.com/",1]]})";
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(post("/crawled", page).status, 201u);
    clock_.advance(Millis{1000});
  }
  EXPECT_EQ(uint64_t(json(get("/page?url=http://a.com/"))["crawls"]), 1u);
  EXPECT_EQ(list(json(get("/request?n=2"))).size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(post("/failed", R"({"url":"http://b.com/","kind":"gone"})").status, 200u);
    EXPECT_EQ(post("/released", R"({"url":"http://c.com/"})").status, 200u);
  }
  clock_.advance(Millis{60'000});
  EXPECT_EQ(list(json(get("/request?n=2"))).size(), 1u);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(post("/failed", R"({"url":"http://c.com/"})").status, 200u);
  EXPECT_EQ(state("http://b.com/"), PageState::gone);
  EXPECT_EQ(state("http://c.com/"), PageState::queued);
}

TEST_F(RestTest, ARedirectLeadsSomewhere) {
  seed("http://a.com/");
  const HttpResponse nowhere = post("/failed", R"({"url":"http://a.com/","kind":"redirect"})");
  EXPECT_EQ(nowhere.status, 400u);
  EXPECT_EQ(nowhere.body, "\"target\" is missing: where the redirect leads\n");
  EXPECT_EQ(state("http://a.com/"), PageState::queued);
  EXPECT_EQ(post("/failed", R"({"url":"http://a.com/","kind":"redirect","target":"/b"})").status, 200u);
  EXPECT_EQ(state("http://a.com/b"), PageState::queued);
}

TEST_F(RestTest, ReasonsThatClientsMakeUpDoNotFillTheMemory) {
  for (int i = 0; i < 300; ++i) {
    seed("http://a.com/" + std::to_string(i));
    get("/request?n=1");
    post("/failed",
         R"({"url":"http://a.com/)" + std::to_string(i) + R"(","kind":"gone","reason":"r)" + std::to_string(i) + "\"}");
  }
  const auto failures = json(get("/failures?n=200"));
  EXPECT_LE(simdjson::dom::object(failures["by_reason"]).size(), 51u);
  EXPECT_EQ(list(failures["recent"]).size(), 200u);
}

TEST_F(RestTest, OnlyWhoAsksForOtherCrawlsGetsThem) {
  post("/seeds", R"(["http://a.com/",{"url":"http://z.com/","crawl":"Z"},{"url":"http://q.com/","queue":"own"}])");
  EXPECT_EQ(get("/request?n=10&queue=own").body, R"(["http://q.com/"])");
  EXPECT_EQ(get("/request?n=10").body, R"(["http://a.com/"])");
  EXPECT_EQ(get("/request?n=10&crawl=*").body, R"(["http://z.com/"])");
  EXPECT_EQ(get("/request?n=10&crawl=*&queue=z.com").body, "a queue is of one crawl: name that instead of *\n");
  EXPECT_EQ(post("/crawled", R"({"url":"http://a.com/","crawl":"*"})").status, 400u);
  EXPECT_EQ(get("/page?url=http://q.com/").status, 404u);
  EXPECT_EQ(std::string_view(json(get("/page?url=http://q.com/&queue=own"))["state"]), "leased");
}

TEST_F(RestTest, HeadLooksOnly) {
  seed("http://a.com/");
  EXPECT_EQ(ask(Method::head, "/stats").status, 200u);
  const HttpResponse refused = ask(Method::head, "/request?n=1");
  EXPECT_EQ(refused.status, 405u);
  EXPECT_EQ(refused.headers.at(0).second, "GET");
  EXPECT_EQ(state("http://a.com/"), PageState::queued);
}

TEST_F(RestTest, WhoWatchesOverTheServerIsNotCounted) {
  HttpHead head;
  head.path = "/healthz";
  EXPECT_FALSE(api_->counts(head));
  head.path = "/stats";
  EXPECT_TRUE(api_->counts(head));
}

TEST_F(RestTest, APageTellsWhatHappenedToIt) {
  seed("http://a.com/");
  post("/crawled", R"({"url":"http://b.com/","links":["http://b.com/1"]})");
  EXPECT_EQ(std::string_view(json(get("/page?url=http://b.com/1"))["linked_from_url"]), "http://b.com/");
  const auto history = [&](const std::string& url) {
    std::string told;
    for (const auto event : list(json(get("/page?url=" + url))["history"])) {
      told += std::string(std::string_view(event["event"])) + std::string(std::string_view(event["detail"])) + ' ';
    }
    return told;
  };
  EXPECT_EQ(history("http://a.com/"), "");
  get("/request?n=10");
  post("/released", R"({"url":"http://a.com/"})");
  get("/request?n=10");
  post("/failed", R"({"url":"http://a.com/","kind":"temporary"})");
  clock_.advance(Millis{60'000});
  get("/request?n=10");
  post("/crawled", R"({"url":"http://A.com"})");  // as somebody else may spell it
  EXPECT_EQ(history("http://a.com/"), "requested released requested failedtemporary requested crawled ");
  EXPECT_EQ(history("http://b.com/"), "crawled ");
  const auto page = json(get("/page?url=http://a.com/"));
  EXPECT_EQ(double(page["history"].at(0)["time"]), 1'800'000'000.0);
  EXPECT_TRUE(page["next_visit"].is_null());
  EXPECT_TRUE(page["linked_from_url"].is_null());
}

TEST(PageEvents, TheOldestAreForgotten) {
  ManualClock clock;
  PageEvents events(clock, 8);
  std::vector<PageEvent> all;
  for (uint64_t i = 0; i < 100; ++i) {
    const PageIdx page{i * i % 5};
    PageEvents::Adding(events).add(page, PageEventKind::crawled);
    all.push_back({clock.now(), page, PageEventKind::crawled, ""});
    clock.advance(Millis{1});
    for (uint64_t one = 0; one < 6; ++one) {
      std::vector<Instant> wanted, told;
      for (size_t at = all.size() - std::min<size_t>(all.size(), 8); at < all.size(); ++at) {
        if (all[at].page == PageIdx{one}) wanted.push_back(all[at].time);
      }
      for (const PageEvent& event : events.of(PageIdx{one})) told.push_back(event.time);
      ASSERT_EQ(told, wanted) << i << ' ' << one;
    }
  }
}

TEST_F(RestTest, FreshnessIsToldOfWhatWasCrawled) {
  const auto nothing = json(get("/freshness"));
  EXPECT_TRUE(nothing["fresh"].is_null());
  EXPECT_TRUE(nothing["age"]["median"].is_null());
  for (int i = 0; i < 3; ++i) {
    post("/crawled", R"({"url":"http://a.com/","content_hash":")" + std::to_string(i) + R"("})");
    clock_.advance(Millis{10'000});
  }
  const auto some = json(get("/freshness"));
  EXPECT_EQ(uint64_t(some["pages"]), 1u);
  EXPECT_EQ(uint64_t(some["known"]), 1u);
  EXPECT_EQ(double(some["age"]["median"]), 10.0);
  EXPECT_GT(double(some["fresh"]), 0);
  EXPECT_LT(double(some["fresh"]), 1);
}

TEST_F(RestTest, APageTellsItsHistory) {
  post("/crawled", R"({"url":"http://a.com/","content_hash":"x","metadata":"m","links":["http://a.com/1"]})");
  const auto page = json(get("/page?url=http%3A%2F%2Fa.com%2F"));
  EXPECT_EQ(std::string_view(page["state"]), "done");
  EXPECT_EQ(uint64_t(page["crawls"]), 1u);
  EXPECT_EQ(std::string_view(page["content_hash"]), "x");
  EXPECT_EQ(std::string_view(page["metadata"]), "m");
  EXPECT_EQ(double(page["last_crawl"]), 1'800'000'000.0);
  const auto link = json(get("/page?url=http://a.com/1"));
  EXPECT_EQ(uint64_t(link["depth"]), 1u);
  EXPECT_TRUE(link["last_crawl"].is_null());
  EXPECT_EQ(get("/page?url=http://unknown.com/").status, 404u);
  EXPECT_EQ(get("/page").status, 400u);
}

TEST_F(RestTest, LinksAreTheSameFromBothEnds) {
  post("/crawled", R"({"url":"http://a.com/","links":["http://a.com/1","http://b.com/"]})");
  post("/crawled", R"({"url":"http://b.com/","links":["http://a.com/1"]})");
  const auto out = json(get("/links?url=http://a.com/"));
  EXPECT_EQ(uint64_t(out["total"]), 2u);
  const auto in = json(get("/links?url=http://a.com/1&direction=in"));
  EXPECT_EQ(uint64_t(in["total"]), 2u);
  std::set<std::string_view> from;
  for (const auto link : list(in["links"])) from.insert(std::string_view(link["url"]));
  EXPECT_EQ(from, (std::set<std::string_view>{"http://a.com/", "http://b.com/"}));
  const auto one = json(get("/links?url=http://a.com/1&direction=in&limit=1"));
  EXPECT_EQ(uint64_t(one["total"]), 2u);
  EXPECT_EQ(list(one["links"]).size(), 1u);
  EXPECT_EQ(get("/links?url=http://x.com/").status, 404u);
  EXPECT_EQ(get("/links?url=http://a.com/&direction=up").status, 400u);
}

TEST_F(RestTest, TheBestPagesAreThoseOfEachHostByScore) {
  seed("http://a.com/1", 0.1f);
  seed("http://a.com/2", 0.9f);
  seed("http://b.com/", 0.5f);
  seed("http://c.com/", 0.7f);
  const auto urls = [&](const std::string& target) {
    std::string all;
    for (const auto page : list(json(get(target)))) all += std::string(std::string_view(page["url"])) + ' ';
    return all;
  };
  EXPECT_EQ(urls("/best"), "http://a.com/2 http://c.com/ http://b.com/ ");
  EXPECT_EQ(urls("/best?n=1"), "http://a.com/2 ");
  get("/request?n=1");
  EXPECT_EQ(urls("/best?n=1"), "http://c.com/ ");
  // One that was crawled without being asked for, of a host that nobody looks at for now.
  post("/host?key=c.com", R"({"block_for":60})");
  post("/crawled", R"({"url":"http://c.com/"})");
  EXPECT_EQ(urls("/best"), "http://b.com/ http://a.com/1 ");
}

TEST_F(RestTest, HostsAreSortedSearchedAndPaged) {
  for (int host = 1; host <= 5; ++host) {
    for (int i = 0; i < host; ++i) seed("http://h" + std::to_string(host) + ".com/" + std::to_string(i));
  }
  const auto keys = [&](const std::string& target) {
    std::string all;
    for (const auto host : list(json(get(target))["hosts"])) all += std::string(std::string_view(host["key"])) + ' ';
    return all;
  };
  EXPECT_EQ(keys("/hosts?limit=2"), "h5.com h4.com ");
  EXPECT_EQ(keys("/hosts?limit=2&offset=3"), "h2.com h1.com ");
  EXPECT_EQ(keys("/hosts?sort=name&order=asc&limit=1"), "h1.com ");
  EXPECT_EQ(keys("/hosts?search=h3"), "h3.com ");
  EXPECT_EQ(keys("/hosts?offset=99"), "");
  EXPECT_EQ(uint64_t(json(get("/hosts?search=h&limit=0"))["total"]), 5u);
  for (const char* bad : {"sort=size", "order=up", "limit=1001", "offset=-1"}) {
    EXPECT_EQ(get(std::string("/hosts?") + bad).status, 400u) << bad;
  }
}

TEST_F(RestTest, HostsTellWhichCrawlsThereAre) {
  const auto crawls = [&](const std::string& target) {
    std::string all;
    for (const auto crawl : list(json(get(target))["crawls"])) all += std::string(std::string_view(crawl)) + ' ';
    return all;
  };
  EXPECT_EQ(crawls("/hosts"), "");
  post("/seeds", R"(["http://a.com/",{"url":"http://a.com/","crawl":"z"},{"url":"http://b.com/","crawl":"m"},
                     {"url":"http://c.com/","crawl":"z"},"http://d.com/"])");
  clock_.advance(Millis{5000});
  EXPECT_EQ(crawls("/hosts"), "DEFAULT m z ");
  EXPECT_EQ(crawls("/hosts?crawl=m&search=nothing&limit=0"), "DEFAULT m z ");
}

TEST_F(RestTest, AHostCanBeBlockedSlowedDownAndLetGo) {
  seed("http://a.com/1");
  seed("http://a.com/2");
  auto host = json(post("/host?key=a.com", R"({"block_for":60})"));
  EXPECT_EQ(double(host["blocked_until"]), 1'800'000'060.0);
  EXPECT_EQ(get("/request").body, "[]");
  host = json(post("/host?key=a.com", R"({"resume":true})"));
  EXPECT_EQ(get("/request?n=1").body, R"(["http://a.com/1"])");
  host = json(post("/host?key=a.com", R"({"delay":5,"limit":7})"));
  EXPECT_EQ(double(host["delay"]), 5.0);
  EXPECT_EQ(uint64_t(host["limit"]), 7u);
  host = json(post("/host?key=a.com", R"({"delay":null})"));
  EXPECT_TRUE(host["delay"].is_null());
  EXPECT_EQ(post("/host?key=unknown.com", R"({"block_for":60})").status, 404u);
  EXPECT_EQ(post("/host", R"({"block_for":60})").status, 400u);
  EXPECT_EQ(post("/host?key=a.com", R"({"blok_for":60})").status, 400u);
  EXPECT_EQ(post("/host?key=a.com", R"({"limit":-1})").status, 400u);
  EXPECT_EQ(post("/host?key=a.com", R"({"resume":false})").status, 400u);
  EXPECT_EQ(post("/host?key=a.com", R"({"resume":true,"delay":5})").status, 400u);
  EXPECT_EQ(post("/host?key=a.com", R"({"block_for":5,"resume":true})").status, 400u);
  EXPECT_EQ(post("/host?key=a.com", "[]").status, 400u);
}

TEST_F(RestTest, ABlockThatIsOverIsNone) {
  seed("http://a.com/1");
  post("/host?key=a.com", R"({"block_for":60})");
  clock_.advance(Millis{59'999});
  EXPECT_EQ(double(json(get("/host?key=a.com"))["blocked_until"]), 1'800'000'060.0);
  EXPECT_EQ(get("/request").body, "[]");
  clock_.advance(Millis{1});
  EXPECT_TRUE(json(get("/host?key=a.com"))["blocked_until"].is_null());
  EXPECT_TRUE(json(get("/hosts"))["hosts"].at(0)["blocked_until"].is_null());
  EXPECT_TRUE(json(post("/host?key=a.com", R"({"limit":7})"))["blocked_until"].is_null());
  EXPECT_EQ(get("/request").body, R"(["http://a.com/1"])");
}

TEST_F(RestTest, WhilePausedNothingIsGivenOut) {
  seed("http://a.com/");
  EXPECT_EQ(post("/pause", "").status, 200u);
  EXPECT_EQ(get("/request").body, "[]");
  EXPECT_TRUE(bool(json(get("/stats"))["paused"]));
  EXPECT_EQ(post("/resume", "").status, 200u);
  EXPECT_EQ(get("/request").body, R"(["http://a.com/"])");
}

TEST_F(RestTest, SeedsAreLinesOrJson) {
  const auto lines = json(post("/seeds", "# ours\nhttp://a.com/ # a\n\nnot a url\nhttp://b.com/#x\n", "text/plain"));
  EXPECT_EQ(uint64_t(lines["new_urls"]), 2u);
  EXPECT_EQ(list(lines["results"]).size(), 3u);
  const auto objects =
      json(post("/seeds", R"(["http://c.com/",{"url":"http://d.com/","score":0.5,"metadata":"m"},{"score":1},3])"));
  EXPECT_EQ(uint64_t(objects["new_urls"]), 2u);
  EXPECT_FALSE(bool(objects["results"].at(2)["ok"]));
  EXPECT_FALSE(bool(objects["results"].at(3)["ok"]));
  EXPECT_EQ(frontier_->page({"http://d.com/"})->metadata, "m");
  EXPECT_EQ(state("http://b.com/"), PageState::queued);
  EXPECT_EQ(post("/seeds", "\"http://e.com/\"").body, R"({"new_urls":1,"results":[{"ok":true}]})");
  EXPECT_EQ(post("/seeds", "\"e\"").status, 400u);
  EXPECT_EQ(post("/seeds", "{}").body, "\"url\" is missing\n");
}

TEST_F(RestTest, TheSeriesHasTheSecondsThatAreOver) {
  for (int i = 0; i < 3; ++i) seed("http://a.com/" + std::to_string(i));
  get("/request?n=2");
  clock_.advance(Millis{1000});
  get("/request?n=1");
  clock_.advance(Millis{2000});
  const auto series = json(get("/series"));
  const auto requested = list(series["requested"]);
  ASSERT_EQ(requested.size(), 3u) << "it was started three seconds ago";
  EXPECT_EQ(uint64_t(requested.at(0)), 2u);
  EXPECT_EQ(uint64_t(requested.at(1)), 1u);
  EXPECT_EQ(uint64_t(requested.at(2)), 0u);
  EXPECT_EQ(double(series["end"]), 1'800'000'003.0);
  EXPECT_EQ(double(json(get("/stats"))["rates"]["requested"]), 1.0);
  clock_.advance(Millis{Activity::kSeconds * 1000});
  const auto later = list(json(get("/series"))["requested"]);
  ASSERT_EQ(later.size(), Activity::kSeconds);
  for (const auto n : later) ASSERT_EQ(uint64_t(n), 0u);
}

TEST_F(RestTest, TheFirstSecondHasNoSeriesYet) {
  seed("http://a.com/");
  get("/request?n=1");
  clock_.advance(Millis{999});
  EXPECT_EQ(list(json(get("/series"))["requested"]).size(), 0u);
  EXPECT_EQ(double(json(get("/stats"))["rates"]["requested"]), 0.0);
}

TEST_F(RestTest, StatsAndMetricsCountPages) {
  seed("http://a.com/");
  seed("http://b.com/");
  post("/crawled", R"({"url":"http://a.com/"})");
  const auto stats = json(get("/stats"));
  EXPECT_EQ(uint64_t(stats["urls"]), 2u);
  EXPECT_EQ(uint64_t(stats["pages"]["done"]), 1u);
  EXPECT_EQ(uint64_t(stats["pages"]["queued"]), 1u);
  EXPECT_EQ(std::string_view(stats["scoring"]["scorer"]), "content");
  EXPECT_EQ(std::string_view(stats["role"]), "admin");
  EXPECT_EQ(double(stats["now"]), 1'800'000'000.0);
  const HttpResponse metrics = get("/metrics");
  EXPECT_EQ(metrics.content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(metrics.body.find("\naduana_pages{state=\"done\"} 1\n"), std::string::npos);
  EXPECT_NE(metrics.body.find("\naduana_crawled_total 1\n"), std::string::npos);
}

TEST_F(RestTest, OtherPathsAndMethodsAreRefused) {
  for (const char* path : {"/crawled/", "/../etc/passwd", "//request", "/REQUEST", "/request%00", "/page/x"}) {
    EXPECT_EQ(get(path).status, 404u) << path;
  }
  const HttpResponse response = get("/crawled");
  EXPECT_EQ(response.status, 405u);
  EXPECT_EQ(response.headers[0], std::make_pair(std::string("Allow"), std::string("POST")));
  EXPECT_EQ(ask(Method::other, "/request").status, 405u);
  EXPECT_EQ(ask(Method::head, "/stats").status, 200u);
}

TEST_F(RestTest, ReadyIsAServerThatListens) {
  EXPECT_EQ(get("/healthz").status, 200u);
  EXPECT_EQ(get("/readyz").status, 503u);
}

}  // namespace
}  // namespace aduana
