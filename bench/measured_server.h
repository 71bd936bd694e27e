// Aduana's server as `aduana-bench serve` measures it: the HTTP server, the REST messages and the frontier of
// `aduana serve`, on a store that is there. Politeness is off, so that there is always a page to give. One path is
// added, POST /rescore, which computes all scores anew and answers when that is done.
#pragma once

#include <string>

#include "aduana/result.h"
#include "aduana/scoring.h"

namespace aduana {
struct FrontierOptions;
}

namespace aduana::bench {

// Those of the measured frontier, as the store is to be filled with.
FrontierOptions measured_frontier_options(ScorerKind scorer);

// Listens on a free port of the loopback address when the scores are there, says so on standard output (see
// server_process.h), and serves until the process is told to stop.
Status run_measured_server(const std::string& dir, unsigned threads, ScorerKind scorer);

}  // namespace aduana::bench
