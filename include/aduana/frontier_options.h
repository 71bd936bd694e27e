// How a frontier is to be run. Everything has a sensible default; durations carry their units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "aduana/durability.h"
#include "aduana/limits.h"
#include "aduana/recrawl.h"
#include "aduana/schedule_options.h"
#include "aduana/scoring.h"
#include "aduana/time.h"

namespace aduana {

enum class QueueBy : uint8_t { host = 0, domain = 1 };

struct FrontierOptions : ScheduleOptions {
  bool create = true;  // make the store if it is not there
  bool read_only = false;

  // Fixed when the store is made; an existing one keeps its own.
  bool sort_query = false;                // order the parameters of a query by name
  std::vector<std::string> strip_params;  // parameters to leave out of URLs; see url/canonical.h
  QueueBy queue_by = QueueBy::host;       // what pages are queued by, when the client gives no key
  bool keep_journal = false;

  Durability durability = Durability::interval;
  size_t cache_bytes = size_t{256} << 20;

  CrawlLimits limits;
  Millis lease{60'000};
  uint32_t max_retries = 3;          // temporary failures of a page, one after the other, before it is gone
  std::shared_ptr<Recrawl> recrawl;  // none: a page is crawled once
  ScoringOptions scoring;

  const Clock* clock = nullptr;  // the system's if null; must live longer than the frontier
  bool background = true;        // false: no threads; what is due happens in the calls
};

}  // namespace aduana
