// The measurements of `aduana-bench serve`.
//
// First what the server can do at most, in rounds in which it and the bare server take turns; then latencies, with a
// scorer, in a server of its own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "aduana/result.h"
#include "aduana/scoring.h"
#include "closed_load.h"
#include "crawl_workload.h"

namespace aduana::bench {

struct ServeRunOptions {
  CrawlOptions crawl{.links = 20, .new_fraction = 0.39};
  uint64_t urls = 4'000'000;  // in the store to begin with
  uint64_t connections = 16;
  uint64_t threads = 4;  // of each server
  uint64_t rounds = 3;
  double seconds = 3;                     // a load and round
  double spiders = 200;                   // requests for pages a second, while latencies are measured
  ScorerKind scorer = ScorerKind::blend;  // of the rescoring
  std::string dir;
};

// One load on both servers, over all rounds.
struct ServePair {
  std::string name;
  LoadFigures bare, aduana;
  std::vector<double> ratios;  // of each round, in requests a CPU-second: ours to the bare server's
};

struct ServeLatencies {
  Latencies quiet, batches, checkpoints, rescores;
  std::vector<double> checkpoint_s, rescore_s;  // how long each took
};

struct ServeFigures {
  uint64_t urls = 0;  // known when the rounds are over
  std::array<ServePair, 3> pairs;
  ServeLatencies latencies;
};

Result<ServeFigures> run_serve(const ServeRunOptions& options);

}  // namespace aduana::bench
