// What the server did lately: pages crawled, requested and failed in each of the last ten minutes' seconds, and the
// last failures with their reasons. Since the server was started; nothing of it is kept. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "aduana/frontier.h"
#include "aduana/time.h"

namespace aduana {

enum class Act : uint8_t { crawled, requested, failed };
inline constexpr size_t kActs = 3;

struct RecentFailure {
  Instant time;
  std::string url, crawl, queue;  // as told; the crawl has a name in any case
  FailureKind kind;
  std::string reason;  // the client's word for it; the kind if it gave none
};

class Activity {
 public:
  static constexpr size_t kSeconds = 600;

  explicit Activity(const Clock& clock) : clock_(clock), started_(clock.elapsed()) {}

  void count(Act act, uint64_t n);
  uint64_t total(Act act) const { return totals_[static_cast<size_t>(act)]; }
  // Of the last kSeconds whole seconds, the oldest first; of fewer if it was started since.
  std::vector<uint64_t> series(Act act) const;
  // A second, over the last ten of these.
  double rate(Act act) const;

  void add_failure(const PageRef& page, FailureKind kind, std::string_view reason);
  std::vector<RecentFailure> failures(size_t most) const;  // the newest first
  std::map<std::string, uint64_t> failures_by_reason() const;

  Millis uptime() const { return clock_.elapsed() - started_; }

 private:
  // A second longer than what is told, for the one that goes on.
  static constexpr size_t kSlots = kSeconds + 1;
  static constexpr size_t kMostFailures = 200;
  static constexpr size_t kMostReasons = 50;
  static constexpr size_t kMostText = 2000;

  uint64_t second() const { return static_cast<uint64_t>(clock_.elapsed().count()) / 1000; }
  void move_on(uint64_t to);

  const Clock& clock_;
  const Millis started_;
  std::array<std::atomic<uint64_t>, kActs> totals_{};
  mutable std::mutex mutex_;
  uint64_t now_ = 0;  // the second up to which slots_ are right
  std::array<std::array<uint64_t, kSlots>, kActs> slots_{};
  std::deque<RecentFailure> failures_;
  std::map<std::string, uint64_t> reasons_;
};

}  // namespace aduana
