// One queue: the pages of a host (or of a domain, or of a key that the client gave) that wait, and all that politeness
// has to remember about it. The queue decides nothing; Schedule does.
//
// What must outlive the process is 64 bytes on disk (docs/formats/schedule.md): times, temperature and what was set by
// hand. Counts and pending pages are made again from the page records.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "aduana/page.h"
#include "aduana/time.h"
#include "schedule/addresses.h"
#include "schedule/pending_queue.h"
#include "schedule/politeness.h"
#include "schedule/temperature.h"

namespace aduana {

struct Queue {
  static constexpr size_t kRecordBytes = 64;

  uint32_t lane = 0;  // its crawl
  uint16_t rule = 0;  // of PolitenessRules

  Instant next_time{};  // the delay since the last request is over
  Temperature temperature;
  Millis last_fetch{0};
  Millis crawl_delay{0};  // of robots.txt
  Instant backed_off_until{};
  uint8_t failures_in_a_row = 0;

  // Set by hand:
  Instant blocked_until{};
  std::optional<Millis> delay;  // instead of the rule's minimum
  uint32_t limit = 0;           // no more requests when so many pages are crawled; 0: none
  uint64_t address = 0;         // a hash of the IP address that it is on; 0: unknown
  Instant last_request{};       // kept for the delay of the address

  std::array<uint32_t, kPageStates> pages{};  // by state; changed by Schedule::recount() only
  uint32_t total = 0;                         // of them
  uint32_t crawled = 0;                       // at least once, whatever their state is now
  PendingQueue pending;

  // Where it stands; the Schedule's business.
  AddressId address_id = kNoAddress;
  int16_t ready_heap = -1;  // that it belongs in by its own limits; with an address only its delegate stands there
  bool has_timer = false;
  bool dormant = false;  // waits for a back queue to become free
  bool active = false;   // has one
  bool set_aside = false;

  uint32_t count(PageState state) const { return pages[static_cast<size_t>(state)]; }

  void encode(char* out) const;  // kRecordBytes
  void decode(const char* in);
};

}  // namespace aduana
