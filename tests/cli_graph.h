// What the tests of the graph commands share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli_runner.h"

namespace aduana {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

using Links = std::vector<std::pair<uint32_t, uint32_t>>;

// Two pages link to page 2, which links to page 0; page 3 has no links.
inline const Links kSmallGraph = {{0, 2}, {1, 2}, {2, 0}, {1, 3}};

inline std::string edge_bytes(const Links& links) {
  std::string bytes;
  for (const auto& [from, to] : links) {
    for (const uint32_t node : {from, to}) {
      for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(node >> shift));
    }
  }
  return bytes;
}

class GraphCliTest : public CliTest {
 protected:
  std::string graph() const { return path("graph"); }

  // A graph of these links in graph().
  void build(const Links& links) {
    write_whole(path("edges"), edge_bytes(links));
    output_of({"graph", "build", path("edges"), graph()});
  }

  // Of a command that must fail like this, without output.
  void expect_failure(const std::vector<std::string>& args, int code, const std::string& says) {
    const RunResult result = run(args);
    std::string command;
    for (const auto& arg : args) command += arg + ' ';
    EXPECT_EQ(result.code, code) << command << result.err;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_TRUE(result.err.starts_with("aduana: ")) << command << result.err;
    EXPECT_TRUE(contains(result.err, says)) << command << result.err;
  }
};

}  // namespace aduana
