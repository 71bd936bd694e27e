// A crawl by several threads at once, each of which requests pages and reports them with links of its own making.
#pragma once

#include <cstdint>
#include <string>

#include "aduana/result.h"

namespace aduana::bench {

struct ThreadedOptions {
  unsigned threads = 1;
  uint64_t urls = 1'000'000;  // to grow to
  uint64_t links = 20;        // a page
  double new_fraction = 0.39;
  uint64_t hosts = 10'000;
  uint64_t batch = 100;
  uint64_t cache_bytes = 0;
};

// Pages a second, by the wall.
Result<double> crawl_with_threads(const ThreadedOptions& options, const std::string& dir);

}  // namespace aduana::bench
