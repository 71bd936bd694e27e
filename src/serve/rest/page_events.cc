#include "serve/rest/page_events.h"

#include <algorithm>

namespace aduana {

const char* name_of(PageEventKind kind) {
  constexpr const char* kNames[] = {"requested", "crawled", "failed", "released"};  // in the order of the enumeration
  return kNames[static_cast<size_t>(kind)];
}

void PageEvents::Adding::add(PageIdx page, PageEventKind kind, const char* detail) {
  uint64_t& newest = events_.newest_[events_.chain_of(page)];
  const Entry entry{{now_, page, kind, detail}, newest};
  newest = ++events_.last_;
  auto& ring = events_.ring_;
  if (ring.empty()) ring.emplace_back();  // of number 0, until a whole turn later
  if (ring.size() < events_.newest_.size() && newest == ring.size()) {
    ring.push_back(entry);
  } else {
    ring[newest % events_.newest_.size()] = entry;
  }
}

std::vector<PageEvent> PageEvents::of(PageIdx page) const {
  std::vector<PageEvent> found;
  const std::lock_guard lock(mutex_);
  const uint64_t forgotten = last_ < newest_.size() ? 0 : last_ - newest_.size();
  for (uint64_t at = newest_[chain_of(page)]; at > forgotten; at = ring_[at % newest_.size()].before) {
    const PageEvent& event = ring_[at % newest_.size()].event;
    if (event.page == page) found.push_back(event);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace aduana
