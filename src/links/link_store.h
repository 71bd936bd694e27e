// The link lists of all pages, newest winning, in an append-only log.
//
// An entry is the page's index (varint) and its list (link_list.h). The page's DetailRecord has the address of the
// newest; older ones are released, and segments that are mostly dead are rewritten by reclaim(). Not thread-safe; see
// LinkStream for reading beside reports.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/extent_log.h"
#include "links/link_list.h"

namespace aduana {

struct LinksState {
  ExtentLog::State log;
  uint64_t links = 0;  // in the newest lists of all pages
};

// The page and the list of an entry. False when the bytes are no entry.
bool split_link_entry(std::string_view entry, PageIdx* page, std::string_view* list);

class LinkStore {
 public:
  static Result<std::unique_ptr<LinkStore>> open(FileSystem& fs, const std::string& dir, const LinksState& state);

  // Puts `list` in the place of the one at `old` (0: none) and returns its address: 0 for an empty list.
  Result<ExtentAddress> replace(PageIdx page, ExtentAddress old, std::string_view list);

  Result<LinkList> read(ExtentAddress address) const;
  uint64_t links() const { return links_; }
  LinksState state() const { return {log_->state(), links_}; }
  ExtentLog::Snapshot snapshot() const { return log_->snapshot(); }

  // Moves the live lists out of a segment (see ExtentLog::segments_with_dead) and forgets it. `current` tells the
  // address of a page's newest list; `moved` takes its new one.
  Status reclaim(uint64_t segment, const std::function<Result<ExtentAddress>(PageIdx)>& current,
                 const std::function<Status(PageIdx, ExtentAddress)>& moved);

  ExtentLog& log() { return *log_; }
  // Files of forgotten segments; to be removed when a checkpoint that does without them is durable.
  std::vector<std::string> take_obsolete() { return std::exchange(obsolete_, {}); }
  void put_back_obsolete(const std::vector<std::string>& files) {
    obsolete_.insert(obsolete_.end(), files.begin(), files.end());
  }

 private:
  std::unique_ptr<ExtentLog> log_;
  uint64_t links_ = 0;
  std::string buffer_;
  std::vector<std::string> obsolete_;
};

}  // namespace aduana
