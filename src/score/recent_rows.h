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
    };
    std::vector<PageIdx> seeds;
    std::vector<Head> heads;
    std::vector<PageIdx> links;
    std::vector<float> content;

    // First the seeds: they may be among the rows.
    template <class VisitSeed, class VisitRow>
    void for_each(const VisitSeed& visit_seed, const VisitRow& visit_row) const {
      for (const PageIdx seed : seeds) visit_seed(seed);
      size_t begin = 0;
      for (const Head& head : heads) {
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
    if (keeping_) rows_.seeds.push_back(page);
  }

  void add(const CrawledRow& row) {
    std::lock_guard lock(mutex_);
    if (!keeping_) return;
    rows_.links.insert(rows_.links.end(), row.links.begin(), row.links.end());
    rows_.content.insert(rows_.content.end(), row.content.begin(), row.content.end());
    rows_.heads.push_back({row.page, rows_.links.size(), row.again});
  }
  // Takes and visits them until few are left, for the rest has to be visited while others wait: well below a
  // millisecond.
  template <class VisitSeed, class VisitRow>
  void catch_up(const VisitSeed& visit_seed, const VisitRow& visit_row) {
    constexpr size_t kFewLinks = 20'000;
    while (links() > kFewLinks) take().for_each(visit_seed, visit_row);
  }

 private:
  Rows take() {
    std::lock_guard lock(mutex_);
    return std::exchange(rows_, {});
  }
  size_t links() {
    std::lock_guard lock(mutex_);
    return rows_.links.size();
  }

  std::mutex mutex_;
  Rows rows_;
  bool keeping_ = false;
};

}  // namespace aduana
