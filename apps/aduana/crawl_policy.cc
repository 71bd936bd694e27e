#include "crawl_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "base/checksum.h"

namespace aduana {
namespace {

constexpr CrawlPolicy kPolicies[] = {
    {"blend", "what we recommend", ScorerKind::blend, LinkScores::none},
    {"page-rank", "PageRank of what is known", ScorerKind::page_rank, LinkScores::none},
    {"opic", "cash that pages hand on to those they link", ScorerKind::opic, LinkScores::none},
    {"hits", "the best authorities", ScorerKind::hits, LinkScores::none},
    {"content", "the score of the link, which is 0 of all", ScorerKind::content, LinkScores::none},
    {kBreadthFirst, "found first", ScorerKind::content, LinkScores::none},
    {"random", "by a hash of the page", ScorerKind::content, LinkScores::page_hash},
    {kOmniscient, "the final PageRank, which no crawler can know", ScorerKind::content, LinkScores::final_ranks},
};

std::vector<float> hashes(size_t pages) {
  std::vector<float> scores(pages);
  for (size_t page = 0; page < pages; ++page) {
    scores[page] = static_cast<float>(checksum64(std::to_string(page)) >> 40) * 0x1p-24f;
  }
  return scores;
}

std::vector<float> places(std::span<const float> values) {
  std::vector<uint32_t> pages(values.size());
  std::iota(pages.begin(), pages.end(), 0u);
  std::sort(pages.begin(), pages.end(),
            [&](uint32_t a, uint32_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  std::vector<float> scores(pages.size());
  // The smallest floats one after the other: as integers they would run out at 2^24.
  const auto smallest = std::bit_cast<uint32_t>(std::numeric_limits<float>::min());
  for (uint32_t place = 0; place < pages.size(); ++place) scores[pages[place]] = std::bit_cast<float>(smallest + place);
  return scores;
}

}  // namespace

std::span<const CrawlPolicy> crawl_policies() { return kPolicies; }

std::string names_of_policies() {
  std::string names;
  for (const CrawlPolicy& policy : kPolicies) {
    if (!names.empty()) names += &policy == std::end(kPolicies) - 1 ? " and " : ", ";
    names += policy.name;
  }
  return names;
}

Result<CrawlPolicy> policy_named(std::string_view name) {
  for (const CrawlPolicy& policy : kPolicies) {
    if (policy.name == name) return policy;
  }
  return Error(Code::invalid, fmt::format("there is no policy \"{}\"; known are {}", name, names_of_policies()));
}

std::vector<float> score_links(LinkScores scores, std::span<const float> final_ranks) {
  switch (scores) {
    case LinkScores::page_hash:
      return hashes(final_ranks.size());
    case LinkScores::final_ranks:
      return places(final_ranks);
    case LinkScores::none:
      break;
  }
  return {};
}

}  // namespace aduana
