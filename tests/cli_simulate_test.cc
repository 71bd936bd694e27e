// `aduana simulate`: crawls of small graphs whose curves are known, and of a real one that has been measured otherwise.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <thread>

#include "cli_runner.h"
#include "graph/rank/slow_link_analysis.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;

using Links = std::vector<NodeLink>;
using Order = std::vector<size_t>;

constexpr const char* kPolicies[] = {"blend",   "page-rank",     "opic",   "hits",
                                     "content", "breadth-first", "random", "omniscient"};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The number behind `"name":`, first after `from`.
double number(const std::string& json, const std::string& name, const std::string& from = "") {
  const size_t begin = json.find(from);
  const size_t at = begin == std::string::npos ? begin : json.find('"' + name + "\":", begin);
  if (at == std::string::npos) return std::nan("");
  return std::strtod(json.c_str() + at + name.size() + 3, nullptr);
}

std::string policy(const std::string& name) { return "\"policy\":\"" + name + '"'; }

// Of a crawl in that order, from PageRank computed elsewhere.
double area(const Vector& ranks, const Order& order) {
  double sum = 0, collected = 0;
  for (const size_t page : order) {
    sum += collected + ranks[page] / 2;
    collected += ranks[page];
  }
  return sum / static_cast<double>(order.size());
}

class SimulateTest : public CliTest {
 protected:
  SimulateTest() { fs::create_directory(path("scratch")); }

  std::string edge_file(const Links& links) {
    std::string bytes;
    for (const NodeLink& link : links) {
      for (const Node node : {link.from, link.to}) {
        for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(node >> shift);
      }
    }
    write_whole(path("edges"), bytes);
    return path("edges");
  }

  std::vector<std::string> command(const std::string& graph, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"simulate", "--graph", graph, "--scratch", path("scratch")};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  std::string simulate(const std::string& graph, const std::vector<std::string>& more) {
    const std::string out = output_of(command(graph, more));
    EXPECT_TRUE(fs::is_empty(path("scratch")));
    return out;
  }
  std::string json(const Links& links, const std::string& name, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"--seed", "0", "--policy", name, "--json"};
    args.insert(args.end(), more.begin(), more.end());
    return simulate(edge_file(links), args);
  }
  // How a command that must fail does; the second is what it says.
  void expect_failure(const std::vector<std::string>& args, int code, const std::string& says) {
    const RunResult result = run(args);
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("aduana: ")) << result.err;
    EXPECT_TRUE(contains(result.err, says)) << result.err;
    EXPECT_TRUE(fs::is_empty(path("scratch")));
  }
};

// 1 is a dead end, 2 and 3 link each other: to crawl these first is better.
const Links kTrap = {{0, 1}, {0, 2}, {2, 3}, {3, 2}};
const Links kChain = {{0, 1}, {1, 2}, {2, 3}, {3, 3}};

TEST_F(SimulateTest, ChainHasOneOrderOnly) {
  const Vector ranks = iterated_page_rank(4, kChain, {});
  const double expected = area(ranks, {0, 1, 2, 3});
  for (const char* name : kPolicies) {
    const std::string line = json(kChain, name);
    EXPECT_TRUE(line.starts_with('{' + policy(name))) << line;
    EXPECT_NEAR(number(line, "auc"), expected, 1e-6) << name;
    EXPECT_EQ(number(line, "pages"), 4) << name;
    EXPECT_GT(number(line, "pages_per_second"), 0) << name;
    // Half of the pages, and a fifth of the way through the first.
    EXPECT_NEAR(number(line, "50"), ranks[0] + ranks[1], 1e-6) << name;
    EXPECT_NEAR(number(line, "5"), ranks[0] / 5, 1e-6) << name;
    EXPECT_NEAR(number(line, "share_of_all"), 1, 1e-6) << name;
  }
}

TEST_F(SimulateTest, OmniscientBeatsBreadthFirstByWhatTheGraphSays) {
  const Vector ranks = iterated_page_rank(4, kTrap, {});
  EXPECT_NEAR(number(json(kTrap, "breadth-first"), "auc"), area(ranks, {0, 1, 2, 3}), 1e-6);
  EXPECT_NEAR(number(json(kTrap, "content"), "auc"), area(ranks, {0, 1, 2, 3}), 1e-6);
  EXPECT_NEAR(number(json(kTrap, "omniscient"), "auc"), area(ranks, {0, 2, 3, 1}), 1e-6);
}

TEST_F(SimulateTest, StarIsItsHubAndTheRest) {
  Links links;
  for (Node leaf = 1; leaf < 10; ++leaf) links.insert(links.end(), {{0, leaf}, {leaf, 0}});
  // x = 0.15 / 10 + 0.85 (1 − x), the hub's
  const double hub = (0.015 + 0.85) / 1.85;
  for (const char* name : kPolicies) {
    const std::string line = json(links, name);
    EXPECT_NEAR(number(line, "10"), hub, 1e-6) << name;
    EXPECT_NEAR(number(line, "20"), hub + (1 - hub) / 9, 1e-6) << name;
    EXPECT_NEAR(number(line, "auc"), hub * 0.95 + (1 - hub) * 0.45, 1e-6) << name;
  }
}

TEST_F(SimulateTest, OpicCrawlsTheRichestPage) {
  // 0 gives 1 and 2 a half of its cash each, 1 all of that to 3, which then has more than the thirds that 2 gives.
  const Links links = {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {2, 5}, {2, 6}, {3, 7}};
  const Vector ranks = iterated_page_rank(8, links, {});
  EXPECT_NEAR(number(json(links, "opic"), "auc"), area(ranks, {0, 1, 2, 3, 7, 4, 5, 6}), 1e-6);
  EXPECT_NEAR(number(json(links, "breadth-first"), "auc"), area(ranks, {0, 1, 2, 3, 4, 5, 6, 7}), 1e-6);
}

TEST_F(SimulateTest, LinksAreFoundInTheOrderOfTheFile) {
  const Links links = {{0, 3}, {0, 1}, {0, 3}, {0, 2}, {2, 3}};
  const Vector ranks = iterated_page_rank(4, {{0, 3}, {0, 1}, {0, 2}, {2, 3}}, {});  // repeated links count once
  EXPECT_NEAR(number(json(links, "breadth-first"), "auc"), area(ranks, {0, 3, 1, 2}), 1e-6);
}

TEST_F(SimulateTest, TiesOfTheOmniscientGoToTheHigherNumber) {
  const Links links = {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {4, 4}};
  const Vector ranks = iterated_page_rank(5, links, {});
  ASSERT_EQ(ranks[1], ranks[2]);
  EXPECT_NEAR(number(json(links, "omniscient"), "auc"), area(ranks, {0, 2, 4, 1, 3}), 1e-6);
}

TEST_F(SimulateTest, CompressedGraphCountsLikeTheEdgeFileItIsMadeOf) {
  output_of({"graph", "build", edge_file(kTrap), path("graph")});
  EXPECT_EQ(number(simulate(path("graph"), {"--seed", "0", "--policy", "omniscient", "--json"}), "auc"),
            number(json(kTrap, "omniscient"), "auc"));
}

TEST_F(SimulateTest, PageRankOfWhatCannotBeReachedIsNotCollected) {
  const Links links = {{0, 1}, {2, 0}, {2, 3}};
  const Vector ranks = iterated_page_rank(4, links, {});
  const std::string one = json(links, "breadth-first");
  EXPECT_EQ(number(one, "pages"), 2);
  EXPECT_NEAR(number(one, "share_of_all"), ranks[0] + ranks[1], 1e-6);
  EXPECT_NEAR(number(one, "50"), ranks[0], 1e-6);
  const std::string two = json(links, "breadth-first", {"--seed", "3"});
  EXPECT_EQ(number(two, "pages"), 3);
  EXPECT_NEAR(number(two, "share_of_all"), ranks[0] + ranks[1] + ranks[3], 1e-6);
}

// Links by a congruence, more of them to low numbers.
Links web(Node nodes) {
  Links links;
  uint64_t random = 1;
  for (Node page = 0; page < nodes; ++page) {
    links.push_back({page, page + 1 < nodes ? page + 1 : 0});
    for (int i = 0; i < 6; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      const double place = static_cast<double>(random >> 40) * 0x1p-24;
      links.push_back({page, static_cast<Node>(place * place * place * static_cast<double>(nodes))});
    }
  }
  return links;
}

TEST_F(SimulateTest, CompareScoresEveryPolicyAndDrawsTheCurves) {
  const std::string graph = edge_file(web(3000));
  const std::string line =
      simulate(graph, {"--seed", "5", "--compare", "--json", "--curve", path("all.csv"), "--svg", path("all.svg")});
  const double low = number(line, "auc", policy("breadth-first"));
  const double high = number(line, "auc", policy("omniscient"));
  EXPECT_GT(high, low);
  const std::string csv = read_whole(path("all.csv"));
  const std::string svg = read_whole(path("all.svg"));
  std::string header = "pages";
  for (const std::string name : kPolicies) {
    const double of_policy = number(line, "auc", policy(name));
    EXPECT_NEAR(number(line, "score", policy(name)), (of_policy - low) / (high - low), 1e-9) << name;
    EXPECT_EQ(number(line, "pages", policy(name)), 3000) << name;
    EXPECT_TRUE(contains(svg, '>' + name + '<')) << name;
    header += ',' + name;
  }
  EXPECT_TRUE(csv.starts_with(header + "\n3,")) << csv.substr(0, 200);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1001);
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));

  // What is asked for stands first, too.
  EXPECT_EQ(number(line, "auc"), number(line, "auc", "\"policies\":[{" + policy("blend")));

  const std::string table = simulate(graph, {"--seed", "5", "--compare", "--svg", path("all.svg")});
  EXPECT_TRUE(contains(table, "drawn in " + path("all.svg"))) << table;
  for (const std::string name : kPolicies) EXPECT_TRUE(contains(table, '\n' + name + ' ')) << table;
}

TEST_F(SimulateTest, WithoutRoomBetweenTheEndsThereIsNoScore) {
  EXPECT_TRUE(contains(simulate(edge_file(kChain), {"--seed", "0", "--compare", "--json", "--svg", path("out.svg")}),
                       "\"score\":null"));
}

TEST_F(SimulateTest, SameCrawlEachTime) {
  const std::string graph = edge_file(web(2000));
  for (const std::string name : kPolicies) {
    for (const char* file : {"first.csv", "second.csv"}) {
      simulate(graph, {"--seed", "7", "--policy", name, "--curve", path(file)});
    }
    const std::string curve = read_whole(path("first.csv"));
    EXPECT_TRUE(curve.starts_with("pages,share\n2,0.")) << curve.substr(0, 100);
    EXPECT_EQ(curve, read_whole(path("second.csv"))) << name;
  }
}

TEST_F(SimulateTest, HostsDoNotChangeTheOrder) {
  const std::string graph = edge_file(web(1000));
  std::string hosts;
  for (int page = 0; page < 1000; ++page) {
    hosts += page % 2 ? std::to_string(page % 17) + '\n' : "www.Example" + std::to_string(page % 5) + ".org\r\n";
  }
  write_whole(path("hosts"), hosts);
  for (const std::string name : kPolicies) {
    simulate(graph, {"--seed", "7", "--policy", name, "--curve", path("one.csv")});
    simulate(graph, {"--seed", "7", "--policy", name, "--curve", path("many.csv"), "--host-of", path("hosts")});
    EXPECT_EQ(read_whole(path("one.csv")), read_whole(path("many.csv"))) << name;
  }
}

TEST_F(SimulateTest, BatchesCrawlEveryPage) {
  const std::string graph = edge_file(web(1000));
  for (const std::string name : kPolicies) {
    const std::string line = simulate(graph, {"--seed", "0", "--policy", name, "--batch", "64", "--json"});
    EXPECT_EQ(number(line, "pages"), 1000) << name;
    EXPECT_NEAR(number(line, "share_of_all"), 1, 1e-6) << name;
  }
}

TEST_F(SimulateTest, BadHostFilesAreTold) {
  const std::string graph = edge_file(kTrap);
  const auto with = [&](const std::string& lines) {
    write_whole(path("hosts"), lines);
    return command(graph, {"--seed", "0", "--host-of", path("hosts")});
  };
  expect_failure(with("a\nb\nc/d\n\n"), 1, "hosts: line 3: \"c/d\" is no host");
  expect_failure(with("a\nb\nc/d\n\n"), 1, "hosts: line 4: there is no host");
  expect_failure(with("a\nb\nc/d\n\n"), 1, "2 bad lines");
  expect_failure(with("a b\n1\n2\n3\n"), 1, "line 1: ");
  expect_failure(with("a:81\nx@y\n2\n3\n"), 1, "2 bad lines");
  expect_failure(with("a\nb\n"), 1, "fewer lines than the 4 pages of the graph");
  expect_failure(with("a\nb\nc\nd\ne\n"), 1, "more lines than the 4 pages of the graph");
  expect_failure(command(graph, {"--seed", "0", "--host-of", path("nothing")}), 2, path("nothing"));
  expect_failure(command(graph, {"--seed", "0", "--host-of", path("scratch")}), 2, path("scratch"));
}

TEST_F(SimulateTest, WrongArgumentsNameTheRemedy) {
  const std::string graph = edge_file(kTrap);
  expect_failure(command(path("nothing"), {"--seed", "0"}), 2, path("nothing"));
  expect_failure(command(path("scratch"), {"--seed", "0"}), 2, path("scratch"));
  expect_failure(command(graph, {"--seed", "4"}), 2, "--seed 4: the pages of " + graph + " are 0 to 3");
  for (const char* number : {"-1", "1.5", "99999999999999999999"}) {
    expect_failure(command(graph, {"--seed", number}), 2, number + std::string(" is no whole number from 0 on"));
  }
  expect_failure(command(graph), 2, "--seed is required");
  expect_failure({"simulate", "--seed", "0"}, 2, "--graph is required");
  expect_failure(command(graph, {"--seed", "0", "--policy", "best"}), 2,
                 "there is no policy \"best\"; known are blend, page-rank, opic, hits, content, breadth-first, random "
                 "and omniscient");
  expect_failure(command(graph, {"--seed", "0", "--batch", "0"}), 2, "--batch: 0 is no whole number from 1 on");
  for (const char* option : {"--curve", "--svg"}) {
    expect_failure(command(graph, {"--seed", "0", option, path("no/folder/out")}), 2, path("no/folder/out"));
    expect_failure(command(graph, {"--seed", "0", option, path("scratch")}), 2, path("scratch"));
  }
  expect_failure({"simulate", "--graph", graph, "--seed", "0", "--scratch", path("nothing")}, 2, path("nothing"));
  const std::string before = read_whole(graph);
  expect_failure(command(graph, {"--seed", "0", "--curve", graph}), 2, "give another name");
  expect_failure(command(graph, {"--seed", "0", "--svg", graph}), 2, "give another name");
  EXPECT_EQ(read_whole(graph), before);
}

TEST_F(SimulateTest, WhatIsNoGraphIsRefused) {
  write_whole(path("empty"), "");
  expect_failure(command(path("empty"), {"--seed", "0"}), 2, "has no links");
  write_whole(path("text"), "This is no file of links.\n\n\n\n\n\n\n");
  expect_failure(command(path("text"), {"--seed", "0"}), 2, path("text") + ": 4 links name pages up to ");
  write_whole(path("cut"), "123456789");
  expect_failure(command(path("cut"), {"--seed", "0"}), 1, path("cut") + ": 9 bytes");
  output_of({"graph", "build", edge_file(kTrap), path("graph")});
  std::string bytes = read_whole(path("graph"));
  bytes[100] ^= 1;
  write_whole(path("damaged"), bytes);
  expect_failure(command(path("damaged"), {"--seed", "0"}), 1, path("damaged"));
}

TEST_F(SimulateTest, InterruptLeavesNothingBehind) {
  const auto args = command(edge_file(web(300'000)),
                            {"--seed", "0", "--compare", "--curve", path("out.csv"), "--svg", path("out.svg")});
  write_whole(path("stdin"), "");
  RunningProgram program(args, dir(), path("stdin"));
  for (int i = 0; i < 20'000 && fs::is_empty(path("scratch")); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_FALSE(fs::is_empty(path("scratch")));
  program.signal(SIGINT);
  const RunResult result = program.wait();
  EXPECT_EQ(result.code, 128 + SIGINT);
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_TRUE(fs::is_empty(path("scratch")));
  for (const auto& entry : fs::directory_iterator(dir())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("out.")) << entry.path();
  }
}

// Areas and shares as a program of its own found them, to the digits that it gave.
TEST_F(SimulateTest, OrdersOfARealGraphAreAsGoodAsMeasuredElsewhere) {
  const char* shared = std::getenv("ADUANA_SHARED");
  const std::string graph = std::string(shared ? shared : ADUANA_SOURCE_DIR "/../shared") + "/data/cnr-2000.edges.xz";
  if (!fs::exists(graph)) GTEST_SKIP() << "no data: set ADUANA_SHARED to the folder that holds data/cnr-2000.edges.xz";
  struct Measured {
    std::string policy;
    double area, area_digit, after_1, after_10, after_30, after_50;
  };
  for (const Measured& m : {Measured{"breadth-first", .5727, 1e-4, .061, .175, .395, .633},
                            Measured{"omniscient", .6805, 1e-4, .166, .365, .589, .714},
                            Measured{"opic", .623, 1e-3, .070, .180, .497, .685}}) {
    const std::string line = simulate(graph, {"--seed", "247028", "--policy", m.policy, "--json"});
    EXPECT_EQ(number(line, "pages"), 325'557) << m.policy;
    EXPECT_NEAR(number(line, "auc"), m.area, 0.6 * m.area_digit) << m.policy;
    EXPECT_NEAR(number(line, "1"), m.after_1, 6e-4) << m.policy;
    EXPECT_NEAR(number(line, "10"), m.after_10, 6e-4) << m.policy;
    EXPECT_NEAR(number(line, "30"), m.after_30, 6e-4) << m.policy;
    EXPECT_NEAR(number(line, "50"), m.after_50, 6e-4) << m.policy;
  }
}

}  // namespace
}  // namespace aduana
