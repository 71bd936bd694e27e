// How a frontier is to be run. Everything has a sensible default; durations carry their units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "aduana/durability.h"
#include "aduana/limits.h"
#include "aduana/order.h"
#include "aduana/politeness.h"
#include "aduana/recrawl.h"
#include "aduana/time.h"

namespace aduana {

enum class QueueBy : uint8_t { host = 0, domain = 1 };

struct FrontierOptions {
  bool create = true;  // make the store if it is not there
  bool read_only = false;

  // Fixed when the store is made; an existing one keeps its own.
  bool sort_query = false;                // order the parameters of a query by name
  std::vector<std::string> strip_params;  // parameters to leave out of URLs; see url/canonical.h
  QueueBy queue_by = QueueBy::host;       // what pages are queued by, when the client gives no key
  bool keep_journal = false;

  Durability durability = Durability::interval;
  size_t cache_bytes = size_t{256} << 20;

  // Which page next.
  std::shared_ptr<const Order> order = std::make_shared<BestFirst>();
  PolitenessOptions politeness;
  std::vector<PolitenessOverride> overrides;
  unsigned front_levels = 1;  // Mercator's F; each is `bias` times as likely to be chosen as the next
  double bias = 2;
  uint32_t back_queues = 0;  // Mercator's B: queues that are active at a time; 0: all

  CrawlLimits limits;
  Millis lease{60'000};
  uint32_t max_retries = 3;          // temporary failures of a page, one after the other, before it is gone
  std::shared_ptr<Recrawl> recrawl;  // none: a page is crawled once

  const Clock* clock = nullptr;  // the system's if null; must live longer than the frontier
  bool background = true;        // false: no threads; what is due happens in the calls
  uint64_t seed = 1;             // of the biased choice
};

}  // namespace aduana
