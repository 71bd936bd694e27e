// The scores by which pages stand in their queues: what the scorer says, but kept as it was when the page was put
// there, since an entry of a queue is told from one left behind by its key. A page is put elsewhere when the two differ
// by more than a tenth. Without a scorer it is what was reported.
//
// In a store that holds pages already the scorer has to compute first; until it has, all pages stand by what was
// reported. Not thread-safe: under the store's lock.
#pragma once

#include <memory>
#include <vector>

#include "journal/events.h"
#include "links/link_list.h"
#include "pages/pages.h"
#include "score/page_array.h"
#include "score/scorer.h"

namespace aduana {

class Ranks {
 public:
  explicit Ranks(std::unique_ptr<Scorer> scorer) : scorer_(std::move(scorer)) {}

  bool on() const { return scorer_ != nullptr; }
  Scorer* scorer() { return scorer_.get(); }

  // All pages there are were entered; `live`: none of them needs a score that was computed.
  void start(bool live) {
    listening_ = true;
    live_ = live;
  }
  // The scorer has published.
  void go_live() { live_ = true; }

  // The score by which the page stands.
  float of(PageIdx page, const PageRecord& record) const {
    return !on() || applied_[page] < 0 ? record.score : applied_[page] * scorer_->unit();
  }
  // What stands for it in keys. With a scorer: how often it is the average score; below 0 if it is as reported. So when
  // the scorer goes live each page that is put elsewhere passes by all entries that are left behind, and these never
  // come up together.
  float for_key(PageIdx page, const PageRecord& record) const { return on() ? applied_[page] : record.score; }

  // A page that is new, or that is queued again.
  void enter(PageIdx page, const PageRecord& record);
  void renew(PageIdx page, const PageRecord& record);

  // A page is about to be entered as crawled, with its new URLs. The pages behind its links are links().
  Status hear(const Event& event, bool again, Pages& pages);
  const std::vector<PageIdx>& links() const { return list_.targets; }

  // Whether the page ought to stand elsewhere.
  bool moved(PageIdx page) const;

 private:
  const std::unique_ptr<Scorer> scorer_;
  bool listening_ = false;
  bool live_ = false;
  PageArray<float> applied_;        // see for_key()
  PageIdx came_crawled_ = kNoPage;  // a page that nobody knew, whose crawl the scorer has heard of
  LinkList list_;
  std::vector<float> content_;
};

}  // namespace aduana
