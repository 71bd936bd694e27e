// What happened to single pages lately: given out, reported, failed, given back. The last ones in a ring of fixed size,
// since the server was started; nothing of it is kept. Thread-safe.
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
  explicit PageEvents(const Clock& clock, size_t most = size_t{1} << 18) : clock_(clock), most_(most) {}

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
  const Clock& clock_;
  const size_t most_;
  mutable std::mutex mutex_;
  std::vector<PageEvent> ring_;  // grows to most_
  size_t oldest_ = 0;            // once it is full
};

}  // namespace aduana
