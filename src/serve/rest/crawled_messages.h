// The documented /crawled message, read from JSON into what the store takes.
//
//   {"url": …, "score": …, "links": [[url, score], …], "time": …, "content_hash": …, "metadata": …, "fetch_time": …,
//    "crawl": …, "queue": …}
//
// Only `url` must be there; null stands for not given, fields of other names are passed over. A link may also be a
// bare URL or {"url": …, "score": …}. A message is taken whole or not at all; the error names the field and what was
// expected there. Collects a batch of them, which own their bytes. Used by one thread.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "aduana/report.h"
#include "base/text_arena.h"

namespace aduana {

class CrawledMessages {
 public:
  // `most_links`: a page with more is refused.
  explicit CrawledMessages(size_t most_links = SIZE_MAX) : most_links_(most_links) {}

  // `json` is followed by simdjson::SIMDJSON_PADDING bytes that may be read.
  Status add(std::string_view json);
  // One that was parsed with others.
  Status add(const simdjson::dom::element& message);

  size_t size() const { return pages_.size(); }
  size_t bytes() const { return bytes_; }  // of JSON
  std::span<const ReportedPage> pages();   // good until the next add() or clear()
  void clear();

 private:
  struct Range {
    size_t begin, end;
  };
  Status read(const simdjson::dom::object& object);
  Status read_links(const simdjson::dom::element& element);
  Result<ReportedLink> read_link(const simdjson::dom::element& element, size_t place);

  const size_t most_links_;
  simdjson::dom::parser parser_;
  TextArena text_;
  std::vector<ReportedPage> pages_;
  std::vector<ReportedLink> links_;
  std::vector<Range> links_of_;  // the links of each page; spans would move with the vector
  size_t bytes_ = 0;
};

}  // namespace aduana
