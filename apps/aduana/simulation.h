// A crawl without a network: the frontier itself, on a store of its own, is asked for pages and told their links as a
// graph has them, until it knows no more.
//
// Nothing depends on time or chance, so the same crawl goes the same way each time: the clock stands still, there are
// no threads, and nothing limits how often a host is asked.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "crawl_curve.h"
#include "crawl_policy.h"
#include "link_lists.h"
#include "page_urls.h"

namespace aduana {

struct SimulatedWeb {
  const LinkLists& links;
  const PageUrls& urls;
  std::span<const float> page_ranks;  // of all pages, to judge by
};

struct SimulationOptions {
  size_t batch = 1;     // pages asked for at a time
  std::string scratch;  // folder in which the store is made; empty: the system's for temporary files
  // Called every now and then; false ends the crawl.
  std::function<bool(uint64_t crawled, uint64_t known)> progress;
};

struct SimulatedCrawl {
  CrawlCurve curve;
  double seconds = 0;
};

Result<SimulatedCrawl> simulate(const SimulatedWeb& web, std::span<const Node> seeds, const CrawlPolicy& policy,
                                const SimulationOptions& options);

}  // namespace aduana
