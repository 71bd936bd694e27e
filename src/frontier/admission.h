// Is a URL that was found to be crawled? The limits and trap defences of CrawlLimits.
#pragma once

#include <optional>
#include <string_view>

#include "aduana/limits.h"
#include "pages/records.h"

namespace aduana {

// Does a segment stand in the path of the URL more than `most` times? Empty ones do not count.
bool has_repeated_segment(std::string_view url, uint32_t most);

// Why the URL is not to be queued; nothing if it is. The numbers are of its queue and of its crawl, without it.
std::optional<Refusal> refusal_of(const CrawlLimits& limits, std::string_view url, bool is_seed,
                                  const PageRecord& record, uint64_t pages_in_queue, uint64_t pages_in_crawl);

}  // namespace aduana
