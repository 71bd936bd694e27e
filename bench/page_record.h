// What a baseline keeps of a page, and how it is written: the same fields that Aduana keeps, in as few bytes as a
// careful user of a key-value store would spend. Pages that were not crawled leave the crawl's fields out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"

namespace aduana::bench {

struct PageRecord {
  float score = 0;
  uint64_t depth = 0;        // links from the seed
  uint64_t linked_from = 0;  // index of the page that led here first; its own for a seed
  uint64_t crawls = 0;
  uint64_t changes = 0;  // crawls that found another content than the one before
  int64_t first_crawl_ms = 0;
  int64_t last_crawl_ms = 0;
  uint64_t content_hash = 0;
};

void append_record(std::string& out, const PageRecord& record, std::string_view url);
// The record's fields; what follows them is the URL.
Result<PageRecord> parse_record(std::string_view bytes);

// The list of links of a page: how many, then the distances from one index to the next, the first from the page's own.
// Sorts `targets` and removes repeated ones.
void append_links(std::string& out, uint64_t page, std::vector<uint64_t>& targets);

}  // namespace aduana::bench
