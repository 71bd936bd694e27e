// The settings of `aduana serve`: one table, from which flags, environment variables and the keys of the configuration
// file are made. A flag wins over the environment, that over the file, that over the default.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "aduana/frontier_options.h"
#include "serve/http/server.h"

namespace aduana {

struct ServeSettings {
  std::string dir;
  std::string seeds;
  std::string password_file, tls_key, tls_cert;
  uint64_t default_requests = 10;
  Millis graph_interval{0};
  bool persist = true;
  std::string freq_spec;
  std::optional<double> freq_default, freq_scale, freq_margin;
  std::optional<uint32_t> max_n_crawls;
  FrontierOptions frontier;
  HttpOptions http;
};

// The flags of the command, and --config. What they are given is kept until read() puts everything together.
class ServeArguments {
 public:
  void add_to(CLI::App& command);
  // Code::invalid names the setting, where it stands and what is wrong with it.
  Result<ServeSettings> read() const;

 private:
  std::string config_;
  std::vector<std::string> given_;  // by setting
  std::vector<CLI::Option*> options_;
};

}  // namespace aduana
