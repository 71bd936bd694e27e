#include "serve/rest/page_events.h"

namespace aduana {

const char* name_of(PageEventKind kind) {
  constexpr const char* kNames[] = {"requested", "crawled", "failed", "released"};  // in the order of the enumeration
  return kNames[static_cast<size_t>(kind)];
}

void PageEvents::Adding::add(PageIdx page, PageEventKind kind, const char* detail) {
  const PageEvent event{now_, page, kind, detail};
  if (events_.ring_.size() < events_.most_) {
    events_.ring_.push_back(event);
  } else {
    events_.ring_[events_.oldest_] = event;
    events_.oldest_ = (events_.oldest_ + 1) % events_.most_;
  }
}

std::vector<PageEvent> PageEvents::of(PageIdx page) const {
  std::vector<PageEvent> found;
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < ring_.size(); ++i) {
    const PageEvent& event = ring_[(oldest_ + i) % ring_.size()];
    if (event.page == page) found.push_back(event);
  }
  return found;
}

}  // namespace aduana
