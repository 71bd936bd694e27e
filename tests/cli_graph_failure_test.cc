// The graph commands on what is no graph, on damaged files and sources, and builds that are broken off.

#include <csignal>
#include <thread>

#include "cli_graph.h"
#include "graph/graph_header.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;

// The names in the test's folder that begin with "graph".
std::string graph_files(const fs::path& dir) {
  std::string names;
  for (const auto& entry : fs::directory_iterator(dir)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("graph")) names += name + ' ';
  }
  return names;
}

class GraphFailureTest : public GraphCliTest {
 protected:
  std::vector<std::vector<std::string>> commands_on(const std::string& file) {
    return {{"graph", "stats", file},    {"graph", "out", file, "0"}, {"graph", "in", file, "0"},
            {"graph", "pagerank", file}, {"graph", "hits", file},     {"graph", "check", file}};
  }
  // Waits until a build is at work, for half a minute at most.
  bool has_begun() {
    for (int i = 0; i < 30'000; ++i) {
      if (fs::exists(graph() + ".unfinished")) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
};

TEST_F(GraphFailureTest, WhatIsNoGraphIsExitCode2) {
  write_whole(path("text"), "from to\n");
  write_whole(path("empty"), "");
  fs::create_directory(path("folder"));
  for (const std::string name : {"text", "empty", "folder", "missing"}) {
    for (const auto& command : commands_on(path(name))) expect_failure(command, 2, path(name));
  }
  expect_failure({"graph", "out", path("text"), "0"}, 2, "not a graph: make one with `aduana graph build`");
}

TEST_F(GraphFailureTest, WrongArgumentsAreExitCode2) {
  build(kSmallGraph);
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"graph"},
                                             {"graph", "nonsense"},
                                             {"graph", "build", path("edges")},
                                             {"graph", "build", path("edges"), graph(), "--memory", "much"},
                                             {"graph", "build", path("edges"), graph(), "--threads", "0"},
                                             {"graph", "build", path("edges"), graph(), "--order", "age"},
                                             {"graph", "out", graph()},
                                             {"graph", "pagerank", graph(), "--damping", "1"},
                                             {"graph", "pagerank", graph(), "--precision", "-1"},
                                             {"graph", "hits", graph(), "--damping", "0.5"},
                                             {"graph", "hits", graph(), "--top", "-1"},
                                             {"graph", "pagerank", graph(), "--max-loops", "-1"}}) {
    expect_failure(args, 2, "");
  }
}

TEST_F(GraphFailureTest, EveryCommandHasHelpWithExitCodes) {
  for (const std::string command : {"build", "stats", "out", "in", "pagerank", "hits", "check"}) {
    const std::string help = output_of({"graph", command, "--help"});
    EXPECT_TRUE(contains(help, "--json")) << command;
    EXPECT_TRUE(contains(help, "Exit codes:\n  0  fine\n  1  ")) << command;
  }
}

TEST_F(GraphFailureTest, SourcesThatAreNoneLeaveTheOldGraph) {
  build(kSmallGraph);
  const std::string before = read_whole(graph());
  fs::create_directory(path("folder"));
  write_whole(path("odd"), edge_bytes(kSmallGraph) + "abc");
  const std::string packed = path("packed");
  ASSERT_EQ(std::system(("xz -c '" + path("edges") + "' > '" + packed + "'").c_str()), 0);
  write_whole(packed, read_whole(packed).substr(0, 70));
  expect_failure({"graph", "build", path("missing"), graph()}, 2, path("missing"));
  expect_failure({"graph", "build", path("folder"), graph()}, 2, path("folder"));
  expect_failure({"graph", "build", path("odd"), graph()}, 1, "35 bytes");
  expect_failure({"graph", "build", packed, graph()}, 1, "ends early");
  expect_failure({"graph", "build", std::string(5000, 'x'), graph()}, 2, "");
  EXPECT_TRUE(read_whole(graph()) == before);
  EXPECT_EQ(graph_files(dir()), "graph ");
}

TEST_F(GraphFailureTest, DamageIsFoundByCheckAndByReading) {
  Links links;
  for (uint32_t i = 0; i < 200'000; ++i) links.emplace_back(i * 7919 % 30'000, i * 104'729 % 30'011);
  build(links);
  const std::string whole = read_whole(graph());
  ASSERT_GT(whole.size(), 300'000u);
  EXPECT_TRUE(contains(output_of({"graph", "check", graph(), "--json"}), "{\"problems\":[],\"pages\":30011,"));

  std::string bytes = whole;
  bytes[1000] ^= 1;  // links of the first pages
  write_whole(graph(), bytes);
  const RunResult checked = run({"graph", "check", graph()});
  EXPECT_EQ(checked.code, 1);
  EXPECT_TRUE(checked.out.starts_with(graph() + ": damaged between byte 0 and 65536")) << checked.out;
  EXPECT_TRUE(contains(checked.out, "\n1 problem\n")) << checked.out;
  EXPECT_EQ(checked.err, "");
  const RunResult json = run({"graph", "check", graph(), "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_TRUE(contains(json.out, "{\"problems\":[\"" + graph() + ": damaged between")) << json.out;
  for (const std::string memory : {"1G", "0"}) {
    expect_failure({"graph", "hits", graph(), "--memory", memory}, 1, "build the graph again");
  }
  expect_failure({"graph", "out", graph(), "1"}, 1, "build the graph again");
  EXPECT_NE(output_of({"graph", "out", graph(), "29999"}), "");
  output_of({"graph", "pagerank", graph(), "--precision", "1e-4"});  // of the links in, which are whole

  bytes = whole;
  bytes[100] ^= 1;
  write_whole(graph(), bytes);
  for (const auto& command : commands_on(graph())) EXPECT_EQ(run(command).code, 1) << command[1];
  EXPECT_TRUE(contains(run({"graph", "check", graph()}).out, "the header is damaged")) << run({"graph", "check"}).out;
  write_whole(graph(), whole.substr(0, whole.size() - 1));
  for (const auto& command : commands_on(graph())) EXPECT_EQ(run(command).code, 1) << command[1];
  expect_failure({"graph", "stats", graph()}, 1, "cut short");
  bytes = whole;
  bytes[bytes.size() / 2] ^= 1;  // what every look-up needs, somewhere between the two directions
  write_whole(graph(), bytes);
  EXPECT_FALSE(contains(run({"graph", "check", graph()}).out, graph() + ": " + graph()));
}

// Four bytes a link: together they were none, and room was made for the links themselves.
TEST_F(GraphFailureTest, SoManyLinksThatTheirBytesOverflowAreNotUnpacked) {
  build(kSmallGraph);
  const std::string expected = output_of({"graph", "pagerank", graph()});
  const std::string bytes = read_whole(graph());
  auto header = GraphHeader::decode(bytes);
  ASSERT_TRUE(header);
  header->links = uint64_t{1} << 62;
  write_whole(graph(), header->encode() + bytes.substr(GraphHeader::kBytes));
  EXPECT_EQ(output_of({"graph", "pagerank", graph()}), expected);
  output_of({"graph", "hits", graph()});
  EXPECT_EQ(run({"graph", "check", graph()}).code, 1);
}

TEST_F(GraphFailureTest, ABuildReplacesFilesOnly) {
  build(kSmallGraph);
  const std::string before = read_whole(graph());
  expect_failure({"graph", "build", path("edges"), "/dev/null"}, 2, "/dev/null is no file");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  expect_failure({"graph", "build", path("edges"), dir()}, 2, dir());
  expect_failure({"graph", "build", path("edges"), path("edges")}, 2, "give another name");
  expect_failure({"graph", "build", path("edges"), ""}, 2, "GRAPH is empty");
  expect_failure({"graph", "build", graph(), path("graph2")}, 2, graph() + " is a graph already");
  EXPECT_EQ(read_whole(path("edges")), edge_bytes(kSmallGraph));
  fs::create_symlink(graph(), path("link"));
  output_of({"graph", "build", path("edges"), path("link")});
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(read_whole(graph()) == before);
}

// It was noticed only when all was computed. Here that would show damage first.
TEST_F(GraphFailureTest, ValuesThatCanNotBeWrittenAreNotComputed) {
  Links links;
  for (uint32_t i = 0; i < 200'000; ++i) links.emplace_back(i * 7919 % 30'000, i * 104'729 % 30'011);
  build(links);
  std::string bytes = read_whole(graph());
  bytes[1000] ^= 1;                  // links out
  bytes[bytes.size() * 3 / 4] ^= 1;  // links in
  write_whole(graph(), bytes);
  fs::create_directory(path("folder"));
  for (const std::string command : {"pagerank", "hits"}) {
    expect_failure({"graph", command, graph(), "--out", path("out")}, 1, "damaged");
    for (const std::string& out : {path("folder"), path("missing/out"), graph()}) {
      expect_failure({"graph", command, graph(), "--out", out}, 2, out);
    }
  }
  EXPECT_TRUE(read_whole(graph()) == bytes);
  EXPECT_EQ(graph_files(dir()), "graph ");
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(GraphFailureTest, NumbersThatAreHardlyPagesAreRefused) {
  write_whole(path("edges"), edge_bytes({{1, 4'294'967'295}, {2, 3}}));
  expect_failure({"graph", "build", path("edges"), graph()}, 2,
                 path("edges") + ": 2 links name pages up to 4294967295");
  EXPECT_EQ(graph_files(dir()), "");
}

TEST_F(GraphFailureTest, TwoBuildsOfOneGraphDoNotMeet) {
  Links links;
  for (uint32_t i = 0; i < 2'000'000; ++i) links.emplace_back(i * 7919u % 100'003, i * 104'729u % 100'019);
  write_whole(path("edges"), edge_bytes(links));
  write_whole(path("empty"), "");
  write_whole(path("few"), edge_bytes(kSmallGraph));
  RunningProgram program({"graph", "build", path("edges"), graph()}, dir(), path("empty"));
  ASSERT_TRUE(has_begun());
  expect_failure({"graph", "build", path("few"), graph()}, 2, "another build");
  EXPECT_EQ(program.wait().code, 0);
  EXPECT_TRUE(contains(output_of({"graph", "stats", graph(), "--json"}), "\"nodes\":100019,"));
  EXPECT_EQ(output_of({"graph", "check", graph()}).substr(0, 11), "no problems");
}

TEST_F(GraphFailureTest, ABuildThatIsBrokenOffLeavesTheOldGraphAndNothingElse) {
  build(kSmallGraph);
  const std::string before = read_whole(graph());
  Links links;
  for (uint32_t i = 0; i < 3'000'000; ++i) links.emplace_back(i * 7919u % 100'003, i * 104'729u % 100'019);
  write_whole(path("edges"), edge_bytes(links));
  write_whole(path("empty"), "");
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningProgram program({"graph", "build", path("edges"), graph()}, dir(), path("empty"));
    ASSERT_TRUE(has_begun());
    program.signal(signal);
    const RunResult result = program.wait();
    EXPECT_EQ(result.code, 128 + signal) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(read_whole(graph()) == before);
    EXPECT_EQ(graph_files(dir()), "graph ");
  }
  RunningProgram program({"graph", "build", path("edges"), graph()}, dir(), path("empty"));
  ASSERT_TRUE(has_begun());
  program.signal(SIGKILL);
  EXPECT_EQ(program.wait().code, 128 + SIGKILL);
  EXPECT_TRUE(read_whole(graph()) == before);
  build(kSmallGraph);  // takes the place of what the killed one left
  EXPECT_TRUE(read_whole(graph()) == before);
  EXPECT_EQ(graph_files(dir()), "graph ");
}

}  // namespace
}  // namespace aduana
