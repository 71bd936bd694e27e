#include "frontier/ranks.h"

#include <algorithm>
#include <cmath>

namespace aduana {
namespace {

constexpr float kTolerance = 0.1f;

// Any number to one between -1 and 0, in order.
float as_reported(float score) { return std::min((score / (1 + std::abs(score)) - 1) / 2, -1e-30f); }

}  // namespace

void Ranks::enter(PageIdx page, const PageRecord& record) {
  if (!on()) return;
  applied_.grow(page.value + 1);
  if (listening_ && page != came_crawled_) scorer_->enter(page, record.depth == 0);
  renew(page, record);
}

void Ranks::renew(PageIdx page, const PageRecord& record) {
  if (on()) applied_[page] = live_ ? scorer_->score(page) / scorer_->unit() : as_reported(record.score);
}

bool Ranks::moved(PageIdx page) const {
  if (!live_) return false;
  const float now = scorer_->score(page) / scorer_->unit(), applied = applied_[page];
  return applied < 0 || std::abs(now - applied) > kTolerance * applied;
}

Status Ranks::hear(const Event& event, bool again, Pages& pages) {
  list_.clear();
  if (!on() || !listening_) return {};
  const PageIdx page{event.page};
  if (!event.links.empty() && !read_link_list(event.links, page, list_)) {
    return Error(Code::corrupt, "the links of an event can't be decoded");
  }
  content_.clear();
  if (scorer_->needs_content()) {
    for (const PageIdx link : list_.targets) {
      if (link.value >= event.first_new) {
        content_.push_back(event.new_urls.at(link.value - event.first_new).score);
      } else {
        ADUANA_ASSIGN(const PageRecord record, pages.record(link));
        content_.push_back(record.score);
      }
    }
  }
  if (event.page >= event.first_new) {
    // A seed that comes with its crawl: what it has to give it must have before.
    scorer_->enter(page, true);
    came_crawled_ = page;
  }
  scorer_->crawl({page, list_.targets, content_, again});
  return {};
}

}  // namespace aduana
