// URLs to begin with, as they are given: lines of text, or JSON.
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

#include "aduana/report.h"

namespace aduana {

// Owns what it was given.
class SeedList {
 public:
  static constexpr float kScore = 1;  // of a seed that has none

  // One URL a line; empty lines and what follows a # at its beginning or behind a space are passed over. `line_of`
  // tells where a seed stands.
  void add_lines(std::string_view text);
  // A URL, or {"url", "score", "priority", "crawl", "metadata"}.
  Status add(const simdjson::dom::element& element);

  size_t size() const { return seeds_.size(); }
  size_t line_of(size_t i) const { return seeds_[i].line; }
  std::vector<Discovery> discoveries() const;  // good as long as the list

 private:
  struct Seed {
    std::string url, crawl, queue, metadata;
    float score = kScore;
    uint8_t priority = kDefaultPriority;
    size_t line = 0;
  };
  std::vector<Seed> seeds_;
};

}  // namespace aduana
