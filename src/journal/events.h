// The events of a store and their bytes in the journal (docs/formats/journal.md).
//
// An event holds what was decided, not what was asked: links that were known are page indices already, and only URLs
// seen for the first time are spelled out. They get the next page indices in the order they stand here; `first_new`
// says which, so that replay can tell if it is in step. That makes apply() the same at every replay, and the journal
// small.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"

namespace aduana {

enum class EventKind : uint8_t {
  page = 1,        // a page was crawled; new_urls are the page itself, if it is new, and its new links
  discovered = 2,  // URLs were made known without a page that links them
  other = 3,       // something that only those who stand on the store understand: see `payload`
  deleted = 4,     // a queue or a crawl: see `payload` and store/delete.cc
};

struct NewUrl {
  std::string_view url;
  uint32_t host_begin = 0;  // the host's place in the URL
  uint32_t host_length = 0;
  float score = 0;
  std::string_view metadata = {};  // only with EventKind::discovered
  uint8_t priority = 0;
  bool same_domain = false;     // as the page that links it
  std::string_view queue = {};  // the name of its queue; empty: that is the host

  std::string_view host() const { return url.substr(host_begin, host_length); }
};

struct Event {
  EventKind kind = EventKind::page;
  int64_t now_ms = 0;        // when it happened
  std::string_view payload;  // of EventKind::other and deleted; all that follows is of the rest
  uint64_t first_new = 0;
  std::vector<NewUrl> new_urls;
  // Of EventKind::page:
  uint64_t page = 0;
  int64_t time_ms = 0;    // of the crawl
  bool time_told = true;  // by the client; else it is when the report came
  std::optional<uint64_t> fetch_ms;
  float score = 0;
  std::string_view content_hash;
  std::optional<std::string_view> metadata;  // nothing: what was there stays
  std::string_view links;                    // an encoded link list; see links/link_list.h
  bool may_be_repeated = false;              // as in ReportedPage
};

void append_event(std::string& out, const Event& event);

// Reads the events of a frame one by one. Views of the event are good until the next call.
class EventReader {
 public:
  explicit EventReader(std::string_view payload) : left_(payload) {}

  bool at_end() const { return left_.empty(); }
  Status next(Event& event);

 private:
  std::string_view left_;
  std::string text_;
};

}  // namespace aduana
