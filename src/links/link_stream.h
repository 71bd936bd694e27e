// All links of one moment as pairs of page indices, grouped by the page they are on, while reports go on.
//
// The order is that in which the pages were first crawled, which is about the order of the lists on disk: the stream
// reads forward. Used by one thread; must not outlive its store.
#pragma once

#include <memory>
#include <optional>

#include "base/extent_log.h"
#include "links/link_list.h"
#include "pages/pages.h"

namespace aduana {

struct Link {
  PageIdx from;
  PageIdx to;
};

class LinkStream {
 public:
  LinkStream(PagesSnapshot pages, ExtentLog::Snapshot lists, bool only_other_hosts = false)
      : pages_(std::move(pages)), lists_(std::move(lists)), only_other_hosts_(only_other_hosts) {}

  // The next link, or nothing at the end.
  Result<std::optional<Link>> next();

  // A page and all its links (or, on request, those to other hosts); pages without any are passed over. The view is
  // good until the next call.
  struct Row {
    PageIdx from;
    std::span<const PageIdx> to;
  };
  Result<std::optional<Row>> next_row();
  // The same of every page that was crawled, with links or without.
  Result<std::optional<Row>> next_crawled();

  void reset();

 private:
  Result<DetailRecord> detail(uint64_t number);
  Result<Row> row_of(const DetailRecord& detail);

  PagesSnapshot pages_;
  ExtentLog::Snapshot lists_;
  bool only_other_hosts_;
  uint64_t next_detail_ = 0;
  std::shared_ptr<const PagedArray::Chunk> chunk_;
  uint64_t chunk_number_ = ~0ull;
  LinkList list_;
  Row row_{};
  size_t at_ = 0;
};

}  // namespace aduana
