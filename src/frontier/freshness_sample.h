// How fresh the crawled pages are, estimated from some of them.
#pragma once

#include "aduana/frontier.h"
#include "store/store.h"

namespace aduana {

// Looks at up to `most` pages, evenly spread over the order in which they were first crawled.
Result<FreshnessEstimate> sample_freshness(const StoreSnapshot& snapshot, Instant now, size_t most);

}  // namespace aduana
