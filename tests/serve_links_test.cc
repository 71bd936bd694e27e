// Who links to whom, told from the store and from a graph: these need a store on a real disk.

#include <filesystem>
#include <fstream>
#include <set>

#include "base/must.h"
#include "rest_fixture.h"

namespace aduana {
namespace {

class RestLinksTest : public RestTest {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "aduana-links-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(name.data()));
    dir_ = name;
    start();
    post("/crawled", R"({"url":"http://a.com/","links":["http://a.com/1","http://b.com/"]})");
    post("/crawled", R"({"url":"http://b.com/","links":["http://a.com/1"]})");
  }
  void TearDown() override {
    api_.reset();
    frontier_.reset();
    std::filesystem::remove_all(dir_);
  }
  void start(Millis graph_interval = Millis{0}) {
    api_.reset();
    frontier_.reset();
    frontier_ = must(Frontier::open(dir_, options_));
    api_ = std::make_unique<Api>(*frontier_, clock_, ApiOptions{10, dir_, "test", graph_interval});
  }
  // "source total url url …"
  std::string links(const std::string& parameters) {
    const auto answer = json(get("/links?" + parameters));
    std::set<std::string> urls;
    for (const auto link : list(answer["links"])) urls.emplace(std::string_view(link["url"]));
    std::string told =
        std::string(std::string_view(answer["source"])) + ' ' + std::to_string(uint64_t(answer["total"]));
    for (const std::string& url : urls) told += ' ' + url;
    return told;
  }
};

TEST_F(RestLinksTest, WithoutAGraphTheStoreIsAsked) {
  EXPECT_EQ(links("url=http://a.com/"), "store 2 http://a.com/1 http://b.com/");
  EXPECT_EQ(links("url=http://a.com/1&direction=in"), "store 2 http://a.com/ http://b.com/");
  const HttpResponse none = get("/links?url=http://a.com/&source=graph");
  EXPECT_EQ(none.status, 404u);
  EXPECT_NE(none.body.find("POST /graph"), std::string::npos) << none.body;
}

TEST_F(RestLinksTest, AGraphTellsWhatWasThenAndTheStoreWhatIs) {
  const auto made = json(post("/graph", ""));
  EXPECT_EQ(uint64_t(made["pages"]), 3u);
  EXPECT_EQ(uint64_t(made["links"]), 3u);
  const double then = double(json(get("/links?url=http://a.com/1&direction=in"))["as_of"]);
  EXPECT_EQ(then, 1'800'000'000.0);
  clock_.advance(Millis{5000});
  post("/crawled", R"({"url":"http://c.com/","links":["http://a.com/1","http://d.com/"]})");
  EXPECT_EQ(links("url=http://a.com/1&direction=in"), "graph 2 http://a.com/ http://b.com/");
  EXPECT_EQ(links("url=http://a.com/1&direction=in&limit=1"), "graph 2 http://a.com/");
  EXPECT_EQ(double(json(get("/links?url=http://a.com/1&direction=in"))["as_of"]), then);
  EXPECT_EQ(links("url=http://a.com/1&direction=in&source=store"), "store 3 http://a.com/ http://b.com/ http://c.com/");
  EXPECT_EQ(links("url=http://a.com/"), "store 2 http://a.com/1 http://b.com/");
  EXPECT_EQ(links("url=http://a.com/&source=graph"), "graph 2 http://a.com/1 http://b.com/");
  // What is newer than the graph.
  EXPECT_EQ(links("url=http://d.com/&direction=in"), "store 1 http://c.com/");
  EXPECT_EQ(get("/links?url=http://d.com/&source=graph").status, 404u);
  post("/graph", "");
  EXPECT_EQ(links("url=http://d.com/&direction=in"), "graph 1 http://c.com/");
}

// The same URL may be of several pages then, and a graph knows URLs only.
TEST_F(RestLinksTest, WhereTheGraphIsNotSureTheStoreIsAsked) {
  post("/crawled", R"({"url":"http://t.com/","queue":"own","links":["http://u.com/"]})");
  post("/crawled", R"({"url":"http://c.com/","queue":"own","links":["http://a.com/1","http://t.com/"]})");
  post("/graph", "");
  const auto links_in = json(get("/links?url=http://a.com/1&direction=in"));
  EXPECT_EQ(std::string_view(links_in["source"]), "store");
  EXPECT_EQ(list(links_in["links"]).size(), 3u);
  EXPECT_EQ(links("url=http://t.com/&direction=in"), "store 1 http://c.com/");
  EXPECT_EQ(links("url=http://b.com/&direction=in"), "graph 1 http://a.com/");
  EXPECT_EQ(get("/links?url=http://t.com/&queue=own&source=graph").status, 404u);
}

TEST_F(RestLinksTest, AGraphIsFoundAgainAfterARestartAndIsNoTroubleForTheStore) {
  post("/graph", "");
  clock_.advance(Millis{3'600'000});
  start();
  const auto answer = json(get("/links?url=http://a.com/1&direction=in"));
  EXPECT_EQ(std::string_view(answer["source"]), "graph");
  EXPECT_EQ(double(answer["as_of"]), 1'800'000'000.0);
  expect_sound();
}

TEST_F(RestLinksTest, AGraphThatIsDamagedIsPassedOverAndMadeAnew) {
  post("/graph", "");
  std::ofstream(dir_ + "/links.graph", std::ios::trunc) << "no graph";
  start();
  EXPECT_EQ(links("url=http://a.com/1&direction=in"), "store 2 http://a.com/ http://b.com/");
  EXPECT_EQ(post("/graph", "").status, 200u);
  EXPECT_EQ(links("url=http://a.com/1&direction=in"), "graph 2 http://a.com/ http://b.com/");
}

TEST_F(RestLinksTest, OtherCrawlsAreAskedInTheStore) {
  post("/crawled", R"({"url":"http://a.com/1","crawl":"two","links":["http://x.com/"]})");
  post("/graph", "");
  EXPECT_EQ(links("url=http://x.com/&direction=in&crawl=two"), "store 1 http://a.com/1");
  EXPECT_EQ(links("url=http://a.com/1&direction=in"), "store 2 http://a.com/ http://b.com/")
      << "in the graph there is a page of another crawl with that URL";
  EXPECT_EQ(get("/links?url=http://x.com/&crawl=two&source=graph").status, 404u);
}

TEST_F(RestLinksTest, GraphsAreMadeByThemselvesIfWanted) {
  start(Millis{1});
  for (int i = 0; i < 20'000; ++i) {
    if (links("url=http://a.com/1&direction=in") == "graph 2 http://a.com/ http://b.com/") return;
    std::this_thread::sleep_for(Millis{1});
  }
  FAIL() << "no graph was made";
}

TEST_F(RestLinksTest, WrongParametersAreNamed) {
  EXPECT_EQ(get("/links?url=http://a.com/&source=oracle").body, "source must be store or graph\n");
  EXPECT_EQ(get("/links?url=http://a.com/&direction=up").body, "direction must be out or in\n");
}

}  // namespace
}  // namespace aduana
