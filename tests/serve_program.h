// For tests: `aduana serve` as a program that runs, on a port that is free, with a store of its own.
#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "cli_runner.h"

namespace aduana {

class ServeTest : public CliTest {
 protected:
  // On a port that is free, unless the arguments say otherwise.
  void serve(std::vector<std::string> args = {}, bool with_dir = true) {
    args.insert(args.begin(), "serve");
    if (with_dir) args.insert(args.end(), {"--dir", db()});
    args.insert(args.end(), {"--port", "0"});
    server_.emplace(args, dir(), "");
    ASSERT_TRUE(server_->wait_for_output("Ctrl-C stops.\n")) << server_->wait().err;
    const std::string said = server_->output();
    const size_t at = said.rfind(':', said.find("/ with the store"));
    port_ = static_cast<uint16_t>(std::stoi(said.substr(at + 1)));
  }
  RunResult stop() {
    server_->signal(SIGTERM);
    const RunResult result = server_->wait();
    server_.reset();
    return result;
  }
  std::string url(const std::string& path) const { return "http://127.0.0.1:" + std::to_string(port_) + path; }
  // What curl prints; -i for the headers too.
  RunResult curl(std::vector<std::string> args) {
    args.insert(args.begin(), {"-sS", "--max-time", "30"});
    const auto beside = dir() / "curl";  // its output is not the server's
    std::filesystem::create_directories(beside);
    return RunningProgram(args, beside, "/dev/null", "/usr/bin/curl").wait();
  }

  std::optional<RunningProgram> server_;
  uint16_t port_ = 0;
};

}  // namespace aduana
