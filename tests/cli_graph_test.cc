// The graph commands: build, stats, out, in, pagerank, hits and check.

#include "cli_graph.h"

#include <map>
#include <sstream>

namespace aduana {
namespace {

namespace fs = std::filesystem;

// The number behind "name": in a line of JSON.
double json_number(const std::string& json, const std::string& name) {
  const size_t at = json.find("\"" + name + "\":");
  EXPECT_NE(at, std::string::npos) << name << " in " << json;
  return at == std::string::npos ? -1 : std::stod(json.substr(at + name.size() + 3));
}

TEST_F(GraphCliTest, BuildsFromPlainAndCompressedPairs) {
  build(kSmallGraph);
  const std::string expected = read_whole(graph());
  EXPECT_EQ(output_of({"graph", "build", path("edges"), path("other")}),
            path("other") + ": 4 pages, 4 links, " + std::to_string(expected.size()) + " bytes\n");
  for (const std::string tool : {"xz", "gzip", "zstd -q"}) {
    if (std::system((tool + " -c '" + path("edges") + "' > '" + path("packed") + "'").c_str()) != 0) {
      ADD_FAILURE() << tool << " does not run";
      continue;
    }
    const RunResult result = run({"graph", "build", path("packed"), path("other"), "--json"});
    EXPECT_EQ(result.out, "{\"nodes\":4,\"links\":4,\"bytes\":" + std::to_string(expected.size()) + "}\n");
    EXPECT_EQ(result.err, "") << "progress is for terminals";
    EXPECT_TRUE(read_whole(path("other")) == expected) << tool;
  }
  write_whole(path("nothing"), "");
  EXPECT_EQ(output_of({"graph", "build", path("nothing"), path("other"), "--json"}).substr(0, 22),
            "{\"nodes\":0,\"links\":0,\"");
}

TEST_F(GraphCliTest, LittleMemoryAndAnotherFolderGiveTheSameGraph) {
  Links links;
  for (uint32_t i = 0; i < 100'000; ++i) links.emplace_back(i * 7919 % 30'000, i * 104'729 % 30'011);
  build(links);
  fs::create_directory(path("scratch"));
  for (const std::string threads : {"1", "2"}) {
    output_of({"graph", "build", path("edges"), path("other"), "--memory", "64K", "--threads", threads, "--scratch",
               path("scratch")});
    EXPECT_EQ(output_of({"graph", "check", path("other")}), output_of({"graph", "check", graph()}));
    for (const std::string page : {"0", "77", "29999"}) {
      EXPECT_EQ(output_of({"graph", "out", path("other"), page}), output_of({"graph", "out", graph(), page}));
      EXPECT_EQ(output_of({"graph", "in", path("other"), page}), output_of({"graph", "in", graph(), page}));
    }
    EXPECT_TRUE(fs::is_empty(path("scratch")));
  }
}

TEST_F(GraphCliTest, StatsCountEverything) {
  build(kSmallGraph);
  const std::string json = output_of({"graph", "stats", graph(), "--json"});
  EXPECT_EQ(json_number(json, "nodes"), 4);
  EXPECT_EQ(json_number(json, "links"), 4);
  EXPECT_EQ(json_number(json, "bytes"), static_cast<double>(fs::file_size(graph())));
  EXPECT_EQ(json_number(json, "bits_per_link"), json_number(json, "bytes_out") * 8 / 4);
  EXPECT_EQ(json_number(json, "bits_per_link_transpose"), json_number(json, "bytes_in") * 8 / 4);
  EXPECT_EQ(json_number(json, "bytes_urls"), 0);
  const std::string text = output_of({"graph", "stats", graph()});
  EXPECT_TRUE(contains(text, "pages           4\nlinks           4\nlinks out       ")) << text;
  EXPECT_FALSE(contains(text, "URLs")) << text;
  build({});
  EXPECT_EQ(json_number(output_of({"graph", "stats", graph(), "--json"}), "bits_per_link"), 0);
}

TEST_F(GraphCliTest, RowsByNumber) {
  build(kSmallGraph);
  EXPECT_EQ(output_of({"graph", "out", graph(), "1"}), "2\n3\n");
  EXPECT_EQ(output_of({"graph", "in", graph(), "2"}), "0\n1\n");
  EXPECT_EQ(output_of({"graph", "out", graph(), "3"}), "");
  EXPECT_EQ(output_of({"graph", "out", graph(), "1", "--json"}),
            "{\"page\":{\"node\":1},\"links\":[{\"node\":2},{\"node\":3}]}\n");
  EXPECT_EQ(output_of({"graph", "in", graph(), "1", "--json"}), "{\"page\":{\"node\":1},\"links\":[]}\n");
  for (const std::string page : {"4", "18446744073709551615", "99999999999999999999999"}) {
    expect_failure({"graph", "out", graph(), page}, 1, "there is no page " + page + ": there are 4, numbered from 0");
  }
  for (const std::string page : {"http://a.com/", "one"}) {
    expect_failure({"graph", "in", graph(), page}, 2, "this graph has no URLs");
  }
}

class StoreGraphTest : public GraphCliTest {
 protected:
  StoreGraphTest() {
    load(R"({"url":"http://b.com/","links":[["http://a.com/1",1],["http://a.com/",1]]}
{"url":"http://a.com/","links":[["/1",0],["http://b.com/",0],["http://c.sub.a.com/x",1]]}
)");
    output_of({"graph", "build", db(), graph()});
  }
};

TEST_F(StoreGraphTest, PagesAreNumberedByUrl) {
  const std::string a = "0 http://a.com/\n", a1 = "1 http://a.com/1\n", c = "2 http://c.sub.a.com/x\n",
                    b = "3 http://b.com/\n";
  EXPECT_EQ(output_of({"graph", "out", graph(), "http://a.com/"}), a1 + c + b);
  EXPECT_EQ(output_of({"graph", "out", graph(), "0"}), a1 + c + b);
  EXPECT_EQ(output_of({"graph", "out", graph(), "HTTP://B.com:80/x/..#here"}), a + a1);
  EXPECT_EQ(output_of({"graph", "in", graph(), "http://a.com/1"}), a + b);
  EXPECT_EQ(output_of({"graph", "in", graph(), "http://b.com", "--json"}),
            "{\"page\":{\"node\":3,\"url\":\"http://b.com/\"},\"links\":[{\"node\":0,\"url\":\"http://a.com/\"}]}\n");
  EXPECT_EQ(output_of({"graph", "check", graph()}), "no problems: 4 pages, 5 links\n");
  EXPECT_GT(json_number(output_of({"graph", "stats", graph(), "--json"}), "bytes_urls"), 0);
  EXPECT_TRUE(contains(output_of({"graph", "stats", graph()}), "URLs ")) << output_of({"graph", "stats", graph()});
}

TEST_F(StoreGraphTest, PagesAreNumberedAsInTheStoreIfAskedFor) {
  output_of({"graph", "build", db(), graph(), "--order", "index"});
  const std::string b = "0 http://b.com/\n";
  EXPECT_EQ(output_of({"graph", "in", graph(), "http://a.com/"}), b);
  EXPECT_TRUE(output_of({"graph", "in", graph(), "http://a.com/1"}).starts_with(b));
  EXPECT_EQ(output_of({"graph", "check", graph()}), "no problems: 4 pages, 5 links\n");
}

TEST_F(StoreGraphTest, UnknownUrls) {
  expect_failure({"graph", "out", graph(), "http://a.com/2"}, 1, "there is no page http://a.com/2");
  expect_failure({"graph", "out", graph(), "neither"}, 2, "neither");
}

TEST_F(StoreGraphTest, BestPagesHaveTheirUrls) {
  const std::string best = output_of({"graph", "hits", graph(), "--top", "1"});
  EXPECT_TRUE(contains(best, "authorities\n")) << best;
  EXPECT_TRUE(contains(best, " 1 http://a.com/1\nhubs\n")) << best;
  EXPECT_TRUE(contains(output_of({"graph", "pagerank", graph(), "--json"}), "\"url\":\"http://c.sub.a.com/x\""))
      << best;
}

// PageRank of kSmallGraph by its definition, in doubles.
std::map<int, double> slow_page_rank() {
  std::map<int, double> x{{0, .25}, {1, .25}, {2, .25}, {3, .25}};
  for (int loop = 0; loop < 500; ++loop) {
    const double all = 0.15 / 4 + 0.85 * x[3] / 4;  // jumps, and page 3 leads nowhere
    x = {{0, all + 0.85 * x[2]}, {1, all}, {2, all + 0.85 * (x[0] + x[1] / 2)}, {3, all + 0.85 * x[1] / 2}};
  }
  return x;
}

TEST_F(GraphCliTest, PageRankPrintsTheBestAndWritesAll) {
  build(kSmallGraph);
  for (const std::string memory : {"1G", "0"}) {  // unpacked, and as it is
    const std::string printed =
        output_of({"graph", "pagerank", graph(), "--top", "2", "--out", path("all"), "--memory", memory});
    auto expected = slow_page_rank();
    std::istringstream lines(read_whole(path("all")));
    double value = 0;
    for (int page = 0, node = -1; page < 4; ++page) {
      ASSERT_TRUE(lines >> node >> value);
      EXPECT_EQ(node, page);
      EXPECT_NEAR(value, expected[page], 1e-5);
    }
    EXPECT_FALSE(lines >> value);
    std::istringstream best(printed);
    int first = -1, second = -1;
    ASSERT_TRUE(best >> value >> first);
    EXPECT_NEAR(value, expected[2], 1e-5);
    ASSERT_TRUE(best >> value >> second);
    EXPECT_EQ(first, 2);
    EXPECT_EQ(second, 0);
    EXPECT_FALSE(best >> value) << printed;
  }
  const std::string json = output_of({"graph", "pagerank", graph(), "--json", "--top", "1"});
  EXPECT_TRUE(contains(json, "\"reached\":true")) << json;
  EXPECT_TRUE(contains(json, "\"page\":{\"node\":2}}]}\n")) << json;
  EXPECT_NEAR(json_number(json, "value"), slow_page_rank()[2], 1e-5);
  EXPECT_LE(json_number(json, "change"), 1e-7);
  EXPECT_EQ(output_of({"graph", "pagerank", graph(), "--top", "0"}), "");
  EXPECT_NEAR(json_number(output_of({"graph", "pagerank", graph(), "--damping", "0", "--json"}), "value"), 0.25, 1e-6);
}

TEST_F(GraphCliTest, HitsPrintsTheBestAndWritesAll) {
  build({{0, 1}, {2, 1}, {2, 3}});
  for (const std::string memory : {"1G", "0"}) {
    const std::string printed = output_of({"graph", "hits", graph(), "--out", path("all"), "--memory", memory});
    EXPECT_TRUE(printed.starts_with("authorities\n0.850651 1\n0.525731 3\n")) << printed;
    EXPECT_TRUE(contains(printed, "hubs\n0.850651 2\n0.525731 0\n")) << printed;
    std::istringstream lines(read_whole(path("all")));
    int node = 0;
    double authority = 0, hub = 0;
    ASSERT_TRUE(lines >> node >> authority >> hub >> node >> authority >> hub);
    EXPECT_EQ(node, 1);
    EXPECT_NEAR(authority, 0.850651, 1e-5);
    EXPECT_NEAR(hub, 0, 1e-5);
  }
  const std::string json = output_of({"graph", "hits", graph(), "--json", "--top", "1"});
  EXPECT_TRUE(contains(json, "\"authorities\":[{\"value\":0.85")) << json;
  EXPECT_TRUE(contains(json, "\"hubs\":[{\"value\":0.85")) << json;
}

TEST_F(GraphCliTest, PrecisionThatIsNotReachedIsAWarningWithValues) {
  build(kSmallGraph);
  for (const std::string command : {"pagerank", "hits"}) {
    const RunResult result =
        run({"graph", command, graph(), "--max-loops", "1", "--precision", "1e-9", "--json", "--out", path("all")});
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(result.err.starts_with("aduana: warning: after 1 loop the largest change is still ")) << result.err;
    EXPECT_EQ(json_number(result.out, "loops"), 1);
    EXPECT_TRUE(contains(result.out, "\"reached\":false")) << result.out;
    EXPECT_GT(json_number(result.out, "value"), 0);
    const std::string all = read_whole(path("all"));
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 4);
  }
}

TEST_F(GraphCliTest, OutputThatCantBeWritten) {
  build(kSmallGraph);
  for (const std::string command : {"pagerank", "hits"}) {
    expect_failure({"graph", command, graph(), "--out", path("no/such/folder")}, 2, path("no/such/folder"));
  }
  expect_failure({"graph", "build", path("edges"), path("no/such/graph")}, 2, path("no/such/graph"));
  expect_failure({"graph", "build", path("edges"), dir().string()}, 2, dir().string());
  write_whole(path("edges"), edge_bytes(Links(50'000, {1, 2})));
  expect_failure({"graph", "build", path("edges"), graph(), "--memory", "64K", "--scratch", path("none")}, 2,
                 path("none"));
}

}  // namespace
}  // namespace aduana
