// Pages that were crawled while scores are being computed from a moment before that: to be heard again afterwards.
// Thread-safe: one thread adds, another takes.
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
    std::vector<Head> heads;
    std::vector<PageIdx> links;
    std::vector<float> content;

    template <class Visit>
    void for_each(const Visit& visit) const {
      size_t begin = 0;
      for (const Head& head : heads) {
        CrawledRow row{head.page, std::span(links).subspan(begin, head.end - begin), {}, head.again};
        if (!content.empty()) row.content = std::span(content).subspan(begin, head.end - begin);
        visit(row);
        begin = head.end;
      }
    }
  };

  void add(const CrawledRow& row) {
    std::lock_guard lock(mutex_);
    rows_.links.insert(rows_.links.end(), row.links.begin(), row.links.end());
    rows_.content.insert(rows_.content.end(), row.content.begin(), row.content.end());
    rows_.heads.push_back({row.page, rows_.links.size(), row.again});
  }
  Rows take() {
    std::lock_guard lock(mutex_);
    return std::exchange(rows_, {});
  }
  // Takes and visits them until few are left, for the rest has to be visited while others wait: well below a
  // millisecond.
  template <class Visit>
  void catch_up(const Visit& visit) {
    constexpr size_t kFewLinks = 20'000;
    while (links() > kFewLinks) take().for_each(visit);
  }

 private:
  size_t links() {
    std::lock_guard lock(mutex_);
    return rows_.links.size();
  }

  std::mutex mutex_;
  Rows rows_;
};

}  // namespace aduana
