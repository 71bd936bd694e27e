// The frontier's own events: what happened to pages and queues beside reports and discoveries. Each is the payload of a
// journal event (docs/formats/journal.md); they hold decisions, so that replay needs no clock and no chance.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"
#include "aduana/time.h"
#include "base/ids.h"

namespace aduana {

enum class ActionKind : uint8_t {
  granted = 1,   // pages were leased until `until`
  returned = 2,  // leases ran out: the pages are queued again
  released = 3,  // leases were given back
  failed = 4,    // a fetch failed: `failure`, `fetch_ms`
  woken = 5,     // pages are queued: scheduled ones whose time came, or known ones that somebody asked for
  control = 6,   // a queue was changed: `queue` and its settings, in `until` the end of a block, and what follows
  paused = 7,    // `on`
};

struct Action {
  ActionKind kind = ActionKind::granted;
  std::vector<PageIdx> pages;
  Instant until{};
  uint8_t failure = 0;
  uint64_t fetch_ms_plus_1 = 0;  // 0: unknown
  HostId queue;
  uint64_t delay_ms_plus_1 = 0;  // 0: none of its own
  uint64_t crawl_delay_ms = 0;
  uint32_t limit = 0;
  uint64_t address = 0;  // a hash of its IP address; 0: unknown
  bool on = false;

  std::string encode() const;
  static Result<Action> decode(std::string_view payload);
};

}  // namespace aduana
