// OPIC, one pass: every page that no link led to has a cash of 1; a page that is crawled hands its cash on in equal
// parts (or by content scores) to those it links. The score of a page with cash c is c / (1 + c).
#pragma once

#include "score/page_array.h"
#include "score/recent_rows.h"
#include "score/scorer.h"

namespace aduana {

class OpicScorer final : public Scorer {
 public:
  explicit OpicScorer(const ScoringOptions& options) : options_(options) {}

  bool needs_content() const override { return options_.use_content_scores; }
  bool follows_by_itself() const override { return true; }
  void enter(PageIdx page, bool seed) override;
  void crawl(const CrawledRow& row) override;
  float score(PageIdx page) const override;
  float unit() const override { return 1; }  // cash stays what it is, however large the web
  PageScore get(PageIdx page) const override { return {score(page), score(page)}; }

  // Computing is to hear again, in order, of all that was crawled.
  void begin() override { recent_.begin(); }
  Result<Convergence> compute(ScoreInput& input, const std::function<bool()>& go_on) override;
  void publish() override;
  void abandon() override { recent_.end(); }

 private:
  static void endow(PageIdx seed, PageArray<float>& cash);
  static void hand_on(const CrawledRow& row, PageArray<float>& cash);

  const ScoringOptions options_;
  PageArray<float> cash_, next_;
  RecentRows recent_;
};

}  // namespace aduana
