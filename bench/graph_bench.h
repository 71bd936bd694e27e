// `aduana-bench graph`: bits and nanoseconds a link of a compressed graph, and PageRank and HITS on it, beside a plain
// loop over the same graph in memory.
#pragma once

namespace CLI {
class App;
}

namespace aduana::bench {

// Registers the sub-command; its callback sets exit_code.
void add_graph_bench(CLI::App& app, int& exit_code);

}  // namespace aduana::bench
