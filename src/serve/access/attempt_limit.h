// AttemptLimit: how often one client may be wrong. After `attempts` wrong passwords within `window` its address has to
// wait until the window is over, which began with the first of them.
//
// Addresses of one IPv6 network (/64) count as one, since one client has them all. The table is bounded; when it is
// full, the address whose window ends first is forgotten. Thread-safe.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "aduana/time.h"
#include "serve/access/expiring_table.h"

namespace aduana {

struct AttemptLimitOptions {
  uint32_t attempts = 10;
  Millis window = std::chrono::minutes(1);
  size_t limit = 4096;  // addresses
};

class AttemptLimit {
 public:
  AttemptLimit(const Clock& clock, const AttemptLimitOptions& options)
      : clock_(clock), attempts_(options.attempts), wrong_(options.limit, options.window) {}

  // How long the address has to wait until it may try; 0 if it may now.
  Millis wait(std::string_view address);
  void was_wrong(std::string_view address);

 private:
  const Clock& clock_;
  const uint32_t attempts_;
  std::mutex mutex_;
  ExpiringTable<uint32_t> wrong_;
};

}  // namespace aduana
