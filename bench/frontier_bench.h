// `aduana-bench frontier`: a crawl through the frontier, request and report, without limits and with the documented
// ones.
#pragma once

#include <CLI/CLI.hpp>

namespace aduana::bench {

void add_frontier_bench(CLI::App& app, int& exit_code);

}  // namespace aduana::bench
