// Aduana's server as `aduana-bench serve` measures it: the HTTP server, the REST messages and the frontier of
// `aduana serve`, on a store that it has filled itself, so that its caches are those of a crawl that has gone on for a
// while. Politeness is off, so that there is always a page to give. One path is added, POST /rescore, which computes
// all scores anew and answers when that is done.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "aduana/result.h"
#include "aduana/scoring.h"
#include "crawl_workload.h"

namespace aduana::bench {

struct MeasuredServerOptions {
  std::string dir;  // of the store; empty
  CrawlOptions crawl;
  uint64_t urls = 0;  // to fill the store with
  unsigned threads = 0;
  ScorerKind scorer = ScorerKind::content;
};

// The crawl up to so many URLs; `take` gets it in the reports that it consists of. The client that goes on with it has
// been through it, too.
Status crawl_until(CrawlWorkload& workload, uint64_t urls, const std::function<Status(const CrawlBatch&)>& take);

// Listens on a free port of the loopback address when the store is full and scored, says so on standard output (see
// server_process.h), and serves until the process is told to stop.
Status run_measured_server(const MeasuredServerOptions& options);

}  // namespace aduana::bench
