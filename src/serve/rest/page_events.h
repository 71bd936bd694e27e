// What happened to single pages lately: given out, reported, failed, given back. The last ones in a ring of fixed size,
// since the server was started; nothing of it is kept. Events of pages with the same hash are chained, the newest
// first, so that a look-up sees few others. Thread-safe.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "aduana/page.h"
#include "aduana/time.h"

namespace aduana {

enum class PageEventKind : uint8_t { requested, crawled, failed, released };
const char* name_of(PageEventKind kind);

struct PageEvent {
  Instant time{};
  PageIdx page;
  PageEventKind kind = PageEventKind::requested;
  const char* detail = "";  // of a failure its kind
};

class PageEvents {
 public:
  // `most`: that are remembered; a power of two.
  explicit PageEvents(const Clock& clock, size_t most = size_t{1} << 18) : clock_(clock), newest_(most) {}

  // Several of the same moment.
  class Adding {
   public:
    explicit Adding(PageEvents& events) : events_(events), lock_(events.mutex_), now_(events.clock_.now()) {}
    // `detail` must live as long as the program.
    void add(PageIdx page, PageEventKind kind, const char* detail = "");

   private:
    PageEvents& events_;
    const std::lock_guard<std::mutex> lock_;
    const Instant now_;
  };

  // The oldest first.
  std::vector<PageEvent> of(PageIdx page) const;

 private:
  // Events are numbered from 1; event i stands at i modulo the size of the ring.
  struct Entry {
    PageEvent event;
    uint64_t before = 0;  // the one before it in its chain; 0: none
  };
  size_t chain_of(PageIdx page) const { return (page.value * 0x9e3779b97f4a7c15) >> 32 & (newest_.size() - 1); }

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::vector<uint64_t> newest_;  // of each chain
  std::vector<Entry> ring_;       // grows to as many
  uint64_t last_ = 0;
};

}  // namespace aduana
