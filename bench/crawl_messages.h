// What spiders send, as bytes on the wire: requests for pages, and reports in the documented form of /crawled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store_adapter.h"

namespace aduana::bench {

std::string get_message(std::string_view target);
std::string post_message(std::string_view target, std::string_view content_type, std::string_view body);

inline constexpr std::string_view kJson = "application/json", kLines = "application/x-ndjson";

// {"url": …, "score": …, "links": [[url, score], …]} without the end of the line; `url` instead of the page's own.
void append_crawled(std::string& out, std::string_view url, const BenchPage& page);

// The URLs in the answer of GET /request: a list of strings, none of which needs an escape.
std::vector<std::string_view> urls_in(std::string_view answer);

}  // namespace aduana::bench
