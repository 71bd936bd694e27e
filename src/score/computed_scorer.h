// What scorers have in common that compute: the scores of the last update, and on top what pages crawled since then
// have given to those they link, so that a page found a moment ago has a score, too.
#pragma once

#include <algorithm>
#include <vector>

#include "score/page_array.h"
#include "score/recent_rows.h"
#include "score/scorer.h"

namespace aduana {

class ComputedScorer : public Scorer {
 public:
  explicit ComputedScorer(const ScoringOptions& options) : options_(options) {}

  bool needs_content() const final { return options_.use_content_scores; }
  void enter(PageIdx page, bool seed) final;
  void crawl(const CrawledRow& row) final;
  float score(PageIdx page) const final {
    const float score = value(page, now_);
    return score >= 0 ? std::min(score, 1.0f) : 0;  // 0 of what is no number, too
  }
  float unit() const final { return now_.unit; }
  PageScore get(PageIdx page) const final;

  void begin() final;
  Result<Convergence> compute(ScoreInput& input, const std::function<bool()>& go_on) final;
  void publish() final;
  void abandon() final;

 protected:
  struct Scores {
    std::vector<float> computed;  // of the pages that were there; empty before the first update
    PageArray<float> since;       // to be added; of a page that no link led to it begins with an average score
    float unit = 1;
    double scale = 0;  // what else a scorer needs, and the next two
    std::vector<float> more;
    PageArray<uint8_t> place;

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

  LoopOptions loop_options(uint64_t pages, const std::function<bool()>& go_on) const;

  const ScoringOptions options_;

 private:
  void hear(const CrawledRow& row, Scores& scores) const;

  Scores now_, next_;
  std::vector<float> before_;
  RecentRows recent_;
  bool remembering_ = false;
};

// The content scores of all pages, from 0 to 1, if they are wanted; else empty.
Result<std::vector<float>> content_scores(const PagesSnapshot& pages, const ScoringOptions& options);

}  // namespace aduana
