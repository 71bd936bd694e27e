// `aduana simulate`: in what order the frontier would crawl a graph that is there, and how good that order is.
#pragma once

#include <CLI/CLI.hpp>

namespace aduana {

void add_simulate_command(CLI::App& app, int& exit_code);

}  // namespace aduana
