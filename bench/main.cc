// aduana-bench: what Aduana costs, and what the alternatives cost on the same machine in the same run.

#include <CLI/CLI.hpp>

#include "freshness_bench.h"
#include "frontier_bench.h"
#include "graph_bench.h"
#include "interrupt.h"
#include "paper_bench.h"
#include "serve_bench.h"
#include "store_bench.h"
#include "url_bench.h"

int main(int argc, char** argv) {
  CLI::App app{"Measures Aduana beside its baselines. Tables go to standard output, progress to standard error."};
  app.require_subcommand(1);
  app.footer("The systems run one after the other: leave the machine alone while it measures.");
  int exit_code = 0;
  aduana::bench::catch_interrupts();
  aduana::bench::add_store_bench(app, exit_code);
  aduana::bench::add_frontier_bench(app, exit_code);
  aduana::bench::add_freshness_bench(app, exit_code);
  aduana::bench::add_paper_bench(app, exit_code);
  aduana::bench::add_url_bench(app, exit_code);
  aduana::bench::add_graph_bench(app, exit_code);
  aduana::bench::add_serve_bench(app, exit_code);
  CLI11_PARSE(app, argc, argv);
  return exit_code;
}
