// `aduana-bench serve`: Aduana's server beside a bare one of Boost.Beast, each in a process of its own, under load from
// this one; and how long spiders wait during checkpoints and rescoring.
#pragma once

#include <CLI/CLI.hpp>

namespace aduana::bench {

void add_serve_bench(CLI::App& app, int& exit_code);

}  // namespace aduana::bench
