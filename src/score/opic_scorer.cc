#include "score/opic_scorer.h"

#include <algorithm>

#include "score/content_shares.h"

namespace aduana {
namespace {

constexpr uint64_t kRowsBetweenQuestions = 4096;

}  // namespace

void OpicScorer::enter(PageIdx page, bool seed) {
  cash_.grow(page.value + 1);
  if (!seed) return;
  recent_.add_seed(page);
  endow(page, cash_);
}

void OpicScorer::endow(PageIdx seed, PageArray<float>& cash) {
  cash.grow(seed.value + 1);
  cash[seed] += 1;
}

void OpicScorer::hand_on(const CrawledRow& row, PageArray<float>& cash) {
  uint64_t most = row.page.value;
  for (const PageIdx link : row.links) most = std::max(most, link.value);
  cash.grow(most + 1);
  const float mine = std::exchange(cash[row.page], 0.0f);
  const ContentShares shares(row);
  for (size_t i = 0; i < row.links.size(); ++i) cash[row.links[i]] += mine * shares.of(i);
}

void OpicScorer::crawl(const CrawledRow& row) {
  recent_.add(row);
  hand_on(row, cash_);
}

float OpicScorer::score(PageIdx page) const {
  const float cash = cash_.at(page);
  return cash / (1 + cash);
}

Result<Convergence> OpicScorer::compute(ScoreInput& input, const std::function<bool()>& go_on) {
  next_ = {};
  next_.grow(input.pages.size());
  for (PageIdx page{0}; page.value < input.pages.size(); ++page.value) {
    ADUANA_ASSIGN(const PageRecord record, input.pages.record(page));
    if (record.depth == 0) next_[page] = 1;
  }
  std::vector<float> content;
  for (uint64_t rows = 0;; ++rows) {
    if (rows % kRowsBetweenQuestions == 0 && !go_on()) return Error(Code::closed, "stopped");
    ADUANA_ASSIGN(const auto row, input.links.next_crawled());
    if (!row) break;
    content.clear();
    for (const PageIdx link : row->to) {
      if (!options_.use_content_scores) break;
      ADUANA_ASSIGN(const PageRecord record, input.pages.record(link));
      content.push_back(record.score);
    }
    hand_on({row->from, row->to, content, false}, next_);
  }
  recent_.catch_up([&](PageIdx seed) { endow(seed, next_); }, [&](const CrawledRow& row) { hand_on(row, next_); });
  return Convergence{1, 0, true};
}

void OpicScorer::publish() {
  recent_.end().for_each([&](PageIdx seed) { endow(seed, next_); },
                         [&](const CrawledRow& row) { hand_on(row, next_); });
  next_.grow(cash_.size());
  std::swap(cash_, next_);
}

}  // namespace aduana
