// aduana-bench store: Aduana's store beside LMDB and RocksDB under a crawl's load, in one run and with one seed.
#pragma once

#include <CLI/CLI.hpp>

namespace aduana::bench {

// Adds the sub-command; when it has run, exit_code tells whether it went well.
void add_store_bench(CLI::App& app, int& exit_code);

}  // namespace aduana::bench
