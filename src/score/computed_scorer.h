// What scorers have in common that compute: the scores of the last update, and on top what pages crawled since then
// have given to those they link, so that a page found a moment ago has a score, too. `Own` is what a scorer has to keep
// with the scores of an update besides.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "score/page_array.h"
#include "score/recent_rows.h"
#include "score/scorer.h"

namespace aduana {

// The content scores of all pages, from 0 to 1, if they are wanted; else empty.
Result<std::vector<float>> content_scores(const PagesSnapshot& pages, const ScoringOptions& options);

// For kernels that go round and round; `unit` is an average score.
LoopOptions loop_options(const ScoringOptions& options, float unit, const std::function<bool()>& go_on);

template <class Own>
class ComputedScorer : public Scorer {
 public:
  explicit ComputedScorer(const ScoringOptions& options) : options_(options) {}

  bool needs_content() const final { return options_.use_content_scores; }

  void enter(PageIdx page, bool seed) final {
    now_.since.grow(page.value + 1);
    if (!seed) return;
    recent_.add_seed(page);
    endow(page, now_);
  }
  void crawl(const CrawledRow& row) final {
    recent_.add(row);
    hear(row, now_);
  }
  float score(PageIdx page) const final {
    const float score = value(page, now_);
    return score >= 0 ? std::min(score, 1.0f) : 0;  // 0 of what is no number, too
  }
  float unit() const final { return now_.unit; }
  PageScore get(PageIdx page) const final {
    return {page.value < before_.size() ? before_[page.value] : 0, score(page)};
  }

  void begin() final { recent_.begin(); }

  Result<Convergence> compute(ScoreInput& input, const std::function<bool()>& go_on) final {
    next_ = {};  // of the update before the last: let go of here and not under the lock
    ADUANA_ASSIGN(const Convergence convergence, compute_scores(input, go_on, next_));
    // Not a score that could break an order, whatever was reported.
    for (float& score : next_.computed) score = std::isfinite(score) ? std::clamp(score, 0.0f, 1.0f) : 0;
    next_.since.grow(input.pages.size());
    recent_.catch_up([&](PageIdx seed) { endow(seed, next_); }, [&](const CrawledRow& row) { hear(row, next_); });
    return convergence;
  }

  void publish() final {
    recent_.end().for_each([&](PageIdx seed) { endow(seed, next_); }, [&](const CrawledRow& row) { hear(row, next_); });
    next_.since.grow(now_.since.size());
    std::swap(before_, now_.computed);
    std::swap(now_, next_);
  }

  void abandon() final { recent_.end(); }

 protected:
  struct Scores : Own {
    std::vector<float> computed;  // of the pages that were there; empty before the first update
    PageArray<float> since;       // to be added
    float unit = 1;

    float of_update(PageIdx page) const { return page.value < computed.size() ? computed[page.value] : 0; }
    float sum(PageIdx page) const { return of_update(page) + since.at(page); }
  };

  // Fills scores.computed for the pages of the input, and says what the unit is.
  virtual Result<Convergence> compute_scores(ScoreInput& input, const std::function<bool()>& go_on, Scores& scores) = 0;
  // Not negative; below 1 in the end.
  virtual float value(PageIdx page, const Scores& scores) const { return scores.sum(page); }
  // What a page that was crawled since gives to those it links, in `scores.since`, which has room for them. Those from
  // number `known` on are new.
  virtual void spread(const CrawledRow& row, uint64_t known, Scores& scores) const = 0;

  const ScoringOptions options_;

 private:
  // A page that no link led to begins with an average score.
  static void endow(PageIdx seed, Scores& scores) {
    scores.since.grow(seed.value + 1);
    scores.since[seed] = scores.unit;
  }
  void hear(const CrawledRow& row, Scores& scores) const {
    const uint64_t known = scores.since.size();
    uint64_t most = row.page.value;
    for (const PageIdx link : row.links) most = std::max(most, link.value);
    scores.since.grow(most + 1);
    spread(row, known, scores);
  }

  Scores now_, next_;
  std::vector<float> before_;
  RecentRows recent_;
};

}  // namespace aduana
