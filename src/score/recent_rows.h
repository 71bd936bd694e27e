// What was heard while scores are being computed from a moment before that: pages that were crawled, and pages that no
// link led to. To be heard again afterwards. Thread-safe: one thread adds, another takes.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "score/scorer.h"

namespace aduana {

class RecentRows {
 public:
  struct Rows {
    struct Head {
      PageIdx page;
      size_t end = 0;  // of its links
      bool again = false;
      bool seed = false;  // that it is there, and nothing else
    };
    std::vector<Head> heads;
    std::vector<PageIdx> links;
    std::vector<float> content;

    // In the order in which they were heard: which pages of a row are new depends on what came before.
    template <class VisitSeed, class VisitRow>
    void for_each(const VisitSeed& visit_seed, const VisitRow& visit_row) const {
      size_t begin = 0;
      for (const Head& head : heads) {
        if (head.seed) {
          visit_seed(head.page);
          continue;
        }
        CrawledRow row{head.page, std::span(links).subspan(begin, head.end - begin), {}, head.again};
        if (!content.empty()) row.content = std::span(content).subspan(begin, head.end - begin);
        visit_row(row);
        begin = head.end;
      }
    }
  };

  // Nothing is kept unless it is between these two.
  void begin() {
    std::lock_guard lock(mutex_);
    rows_ = {};
    keeping_ = true;
  }
  Rows end() {
    std::lock_guard lock(mutex_);
    keeping_ = false;
    return std::exchange(rows_, {});
  }

  void add_seed(PageIdx page) {
    std::lock_guard lock(mutex_);
    if (keeping_) rows_.heads.push_back({page, rows_.links.size(), false, true});
  }

  void add(const CrawledRow& row) {
    std::lock_guard lock(mutex_);
    if (!keeping_) return;
    rows_.links.insert(rows_.links.end(), row.links.begin(), row.links.end());
    rows_.content.insert(rows_.content.end(), row.content.begin(), row.content.end());
    rows_.heads.push_back({row.page, rows_.links.size(), row.again, false});
  }
  // Takes and visits them until few are left, for the rest has to be visited while others wait: well below a
  // millisecond.
  template <class VisitSeed, class VisitRow>
  void catch_up(const VisitSeed& visit_seed, const VisitRow& visit_row) {
    constexpr size_t kFew = 20'000;
    while (size() > kFew) take().for_each(visit_seed, visit_row);
  }

 private:
  Rows take() {
    std::lock_guard lock(mutex_);
    return std::exchange(rows_, {});
  }
  size_t size() {
    std::lock_guard lock(mutex_);
    return rows_.heads.size() + rows_.links.size();
  }

  std::mutex mutex_;
  Rows rows_;
  bool keeping_ = false;
};

}  // namespace aduana
