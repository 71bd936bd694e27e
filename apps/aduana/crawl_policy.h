// The orders that a crawl can be simulated in. All go through the frontier's best-first order: by a scorer, or by a
// score that is given with each link and says where its page belongs. Of pages with the same score, the one found first
// comes first.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/scoring.h"

namespace aduana {

enum class LinkScores {
  none,         // all 0
  page_hash,    // in no order
  final_ranks,  // in the order of the final PageRank; of the same, the higher number first
};

struct CrawlPolicy {
  std::string_view name;
  std::string_view description;
  ScorerKind scorer;
  LinkScores link_scores;
};

inline constexpr std::string_view kBreadthFirst = "breadth-first";
inline constexpr std::string_view kOmniscient = "omniscient";

std::span<const CrawlPolicy> crawl_policies();
std::string names_of_policies();  // "a, b and c"
Result<CrawlPolicy> policy_named(std::string_view name);

// What links to each page are scored with; empty if all are 0.
std::vector<float> score_links(LinkScores scores, std::span<const float> final_ranks);

}  // namespace aduana
