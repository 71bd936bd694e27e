// One store under the crawl workload: grows it to a number of URLs and takes its figures.
//
// Only the calls of report() are timed. CPU time is that of the whole process from the first report until the store has
// settled, less what the generator took, so background work counts. The store is closed and opened again at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "crawl_workload.h"
#include "store_adapter.h"

namespace aduana::bench {

struct StoreRunOptions {
  CrawlOptions crawl;
  StoreAdapterOptions store;
  uint64_t urls = 10'000'000;
  uint64_t batch = 200;  // pages a report
  bool cold = false;     // measure cold_links more after the growth, data out of memory
  uint64_t cold_links = 1'000'000;
  bool verify = false;         // take the checksum of answers
  double time_limit_s = 3600;  // of the growth
  std::string dir;             // for the temporary folder; empty for the system's
};

struct StoreFigures {
  std::string name;
  uint64_t urls = 0;
  uint64_t links = 0;
  bool cut_short = false;  // by the time limit
  double links_per_s = 0;  // over the last tenth of the growth
  double overall_links_per_s = 0;
  std::optional<double> cold_links_per_s;
  double pages_per_cpu_s = 0;
  double bytes_per_url = 0;
  double worst_report_s = 0;
  double settle_s = 0;
  double reopen_s = 0;               // open of the closed store until its first answer
  std::optional<uint64_t> checksum;  // over the indices of a sample of the URLs

  // The figure that stores are compared by.
  double headline() const { return cold_links_per_s.value_or(links_per_s); }
};

Result<StoreFigures> run_store(const std::string& name, const StoreRunOptions& options);

}  // namespace aduana::bench
