// `aduana-bench freshness`: how fresh each recrawl policy keeps a simulated web whose change rates it has to learn,
// beside the optimum for known rates.
#pragma once

#include <cstdint>

namespace CLI {
class App;
}

namespace aduana::bench {

struct FreshnessBenchOptions {
  uint64_t pages = 10'000;
  double visits = 1;    // that can be made, a page and unit
  double units = 100;   // of time
  double warm_up = 50;  // of these: what happens before does not count
  uint64_t seed = 1;
  bool json = false;
};

// Prints a table, or with `json` one object. Returns the exit code.
int run_freshness_bench(const FreshnessBenchOptions& options);

// Registers the sub-command; its callback sets exit_code.
void add_freshness_bench(CLI::App& app, int& exit_code);

}  // namespace aduana::bench
