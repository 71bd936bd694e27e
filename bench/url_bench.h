// `aduana-bench url`: nanoseconds to parse, resolve and canonicalise a URL, beside Boost.URL on the same list.
#pragma once

#include <chrono>
#include <cstddef>

namespace CLI {
class App;
}

namespace aduana::bench {

struct UrlBenchOptions {
  size_t urls = 100000;
  std::chrono::duration<double> time = std::chrono::seconds(1);  // for each measurement
  bool json = false;
};

// Prints a table, or with `json` one object. Returns the exit code.
int run_url_bench(const UrlBenchOptions& options);

// Registers the sub-command; its callback sets exit_code.
void add_url_bench(CLI::App& app, int& exit_code);

}  // namespace aduana::bench
