// Spiders at a given rate: so many times a second one of them asks for ten pages, and reports them when it has them.
//
// Requests come when they are due, whether or not others were answered: if all connections wait, the time until one is
// free counts as time that the answer took. One connection more is for what is done beside, like a checkpoint. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "crawl_workload.h"
#include "http_load.h"
#include "latencies.h"

namespace aduana::bench {

class SpiderLoad {
 public:
  SpiderLoad(CrawlWorkload& workload, double rate) : workload_(workload), rate_(rate) {}

  Status connect(uint16_t port, size_t spiders);
  // What is begun or answered meanwhile is counted in `into`; this must outlive what was begun.
  Status run_for(double seconds, Latencies& into);
  // Goes on until `message`, sent beside, was answered with that status. Returns how long that took, in seconds.
  Result<double> run_beside(std::string_view message, unsigned status, Latencies& into);
  // Waits for what is under way.
  Status finish();

 private:
  struct Spider {
    Latencies* begun_in = nullptr;
    bool reporting = false;
    SteadyTime free_since;
    std::string report;
  };

  Status turn();
  Status send_due(SteadyTime now);
  Status on_answer(size_t connection, const HttpAnswer& answer, double seconds);
  Status report(size_t spider, std::string_view answer);

  CrawlWorkload& workload_;
  const double rate_;
  CrawlBatch batch_;
  std::vector<Spider> spiders_;
  SteadyTime next_due_;
  Latencies* into_ = nullptr;
  unsigned status_beside_ = 0;
  double took_beside_ = -1;
  HttpLoad http_;
};

}  // namespace aduana::bench
