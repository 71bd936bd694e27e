// aduana-bench paper: the experiment of K. Dorosz, "Usage of dedicated data structures for URL databases in a
// large-scale crawling", section 3. A million random URLs are loaded, three million more are added one by one, and the
// mean delay of an addition is taken for every hundred thousand.
#pragma once

#include <CLI/CLI.hpp>

namespace aduana::bench {

// Adds the sub-command; when it has run, exit_code tells whether it went well.
void add_paper_bench(CLI::App& app, int& exit_code);

}  // namespace aduana::bench
