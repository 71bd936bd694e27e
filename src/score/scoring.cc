#include "aduana/scoring.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "score/blend_scorer.h"
#include "score/hits_scorer.h"
#include "score/opic_scorer.h"
#include "score/page_rank_scorer.h"

namespace aduana {
namespace {

constexpr std::array<const char*, 5> kNames = {"content", "opic", "page-rank", "hits", "blend"};

}  // namespace

const char* name_of(ScorerKind kind) { return kNames[static_cast<size_t>(kind)]; }

Result<ScorerKind> scorer_named(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<ScorerKind>(i);
  }
  return Error(Code::invalid,
               fmt::format("there is no scorer \"{}\"; known are content, opic, page-rank, hits and blend", name));
}

Status ScoringOptions::check() const {
  const auto invalid = [](const char* what) { return Error(Code::invalid, fmt::format("scoring: {}", what)); };
  if (!(damping >= 0 && damping < 1)) return invalid("damping must be at least 0 and below 1");
  if (!(update_share >= 0 && std::isfinite(update_share))) return invalid("update_share must not be negative");
  if (update_interval < Millis{0}) return invalid("update_interval must not be negative");
  if (!(precision > 0 && std::isfinite(precision))) return invalid("precision must be above 0");
  if (threads == 0) return invalid("threads must be at least 1");
  return {};
}

std::unique_ptr<Scorer> make_scorer(const ScoringOptions& options) {
  switch (options.scorer) {
    case ScorerKind::content:
      return nullptr;
    case ScorerKind::opic:
      return std::make_unique<OpicScorer>(options);
    case ScorerKind::page_rank:
      return std::make_unique<PageRankScorer>(options);
    case ScorerKind::hits:
      return std::make_unique<HitsScorer>(options);
    case ScorerKind::blend:
      return std::make_unique<BlendScorer>(options);
  }
  return nullptr;
}

}  // namespace aduana
