#include "graph/rank/content_scores.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace aduana {
namespace {

constexpr float kNegligible = 1e-20f;

float positive_or_zero(float score) { return score > 0 && std::isfinite(score) ? score : 0; }

}  // namespace

Result<ContentScores> ContentScores::from(std::span<const float> scores, uint64_t nodes) {
  ContentScores result;
  if (scores.empty()) return result;
  if (scores.size() != nodes) {
    return Error(Code::invalid, std::to_string(scores.size()) + " content scores for " + std::to_string(nodes) +
                                    " pages; give one for each page, or none");
  }
  float largest = 0;
  for (const float score : scores) largest = std::max(largest, positive_or_zero(score));
  int exponent = 0;
  std::frexp(largest, &exponent);
  result.scores_.reserve(scores.size());
  for (const float score : scores) {
    const float scaled = std::ldexp(positive_or_zero(score), -exponent);
    result.scores_.push_back(scaled < kNegligible ? 0 : scaled);
    result.total_ += result.scores_.back();
  }
  return result;
}

}  // namespace aduana
