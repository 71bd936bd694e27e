#include "score/computed_scorer.h"

namespace aduana {

LoopOptions loop_options(const ScoringOptions& options, float unit, const std::function<bool()>& go_on) {
  LoopOptions loops;
  loops.precision = options.precision * unit;
  loops.max_loops = options.max_loops;
  loops.threads = options.threads;
  loops.progress = [&go_on](uint64_t, double) { return go_on(); };
  return loops;
}

Result<std::vector<float>> content_scores(const PagesSnapshot& pages, const ScoringOptions& options) {
  std::vector<float> scores;
  if (!options.use_content_scores) return scores;
  scores.reserve(pages.size());
  for (PageIdx page{0}; page.value < pages.size(); ++page.value) {
    ADUANA_ASSIGN(const PageRecord record, pages.record(page));
    const bool is_score = record.state != PageState::deleted && std::isfinite(record.score) && record.score > 0;
    scores.push_back(is_score ? record.score : 0);
  }
  // Neither so large that sums of them overflow, nor so small that quotients do.
  const float most = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
  for (float& score : scores) score = score < 1e-20f * most ? 0 : score / most;
  return scores;
}

}  // namespace aduana
