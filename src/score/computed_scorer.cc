#include "score/computed_scorer.h"

#include <algorithm>
#include <cmath>

namespace aduana {

void ComputedScorer::enter(PageIdx page, bool seed) {
  now_.since.grow(page.value + 1);
  if (seed) now_.since[page] = now_.unit;
}

void ComputedScorer::hear(const CrawledRow& row, Scores& scores) const {
  const uint64_t known = scores.since.size();
  uint64_t most = row.page.value;
  for (const PageIdx link : row.links) most = std::max(most, link.value);
  scores.since.grow(most + 1);
  spread(row, known, scores);
}

void ComputedScorer::crawl(const CrawledRow& row) {
  if (remembering_) recent_.add(row);
  hear(row, now_);
}

PageScore ComputedScorer::get(PageIdx page) const {
  return {page.value < before_.size() ? before_[page.value] : 0, score(page)};
}

void ComputedScorer::begin() {
  recent_.take();
  remembering_ = true;
}

Result<Convergence> ComputedScorer::compute(ScoreInput& input, const std::function<bool()>& go_on) {
  next_ = {};  // of the update before the last: let go of here and not under the lock
  ADUANA_ASSIGN(const Convergence convergence, compute_scores(input, go_on, next_));
  // Not a score that could break an order, whatever was reported.
  for (float& score : next_.computed) score = std::isfinite(score) ? std::clamp(score, 0.0f, 1.0f) : 0;
  next_.since.grow(input.pages.size());
  recent_.catch_up([&](const CrawledRow& row) { hear(row, next_); });
  return convergence;
}

void ComputedScorer::publish() {
  remembering_ = false;
  recent_.take().for_each([&](const CrawledRow& row) { hear(row, next_); });
  next_.since.grow(now_.since.size());
  std::swap(before_, now_.computed);
  std::swap(now_, next_);
}

void ComputedScorer::abandon() {
  remembering_ = false;
  recent_.take();
}

LoopOptions ComputedScorer::loop_options(uint64_t pages, const std::function<bool()>& go_on) const {
  LoopOptions loops;
  loops.precision = options_.precision / static_cast<double>(std::max<uint64_t>(pages, 1));
  loops.max_loops = options_.max_loops;
  loops.threads = options_.threads;
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
