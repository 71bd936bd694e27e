#include "pending_memory.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include "random.h"
#include "schedule/schedule.h"
#include "stopwatch.h"

namespace aduana::bench {
namespace {

// Memory of this process that is really there.
double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  statm >> all >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

Result<PendingFigures> measure_pending(uint64_t pending, uint64_t hosts) {
  constexpr size_t kRequests = 1000, kBatch = 100;
  constexpr Instant kNow{Millis{1'800'000'000'000}};
  // Scores of pages are a function of their numbers: nothing else has to be kept.
  const auto key_of = [](PageIdx page) -> std::optional<OrderKey> { return mix(page.value) & kLastOrderKey; };
  const double before = resident_bytes();
  ScheduleOptions options;
  options.politeness = PolitenessOptions::none();
  ADUANA_ASSIGN(const auto schedule, Schedule::make(options, key_of));
  for (uint32_t host = 0; host < hosts; ++host) schedule->open_queue({host}, "host" + std::to_string(host), 0);
  schedule->start(kNow);
  Random random(1);
  for (PageIdx page{0}; page.value < pending; ++page.value) {
    const HostId host{static_cast<uint32_t>(random.log_uniform(hosts))};
    schedule->recount(host, std::nullopt, PageState::queued);
    schedule->add(host, page, *key_of(page), kNow);
  }
  PendingFigures figures;
  figures.pending = pending;
  const double grown = resident_bytes() - before;
  figures.gigabytes = grown * 1e-9;
  figures.bytes_per_url = grown / static_cast<double>(pending);
  const Stopwatch watch;
  for (size_t i = 0; i < kRequests; ++i) schedule->take(kBatch, {}, kNow);
  figures.take_us = watch.seconds() * 1e6 / static_cast<double>(kRequests * kBatch);
  return figures;
}

}  // namespace aduana::bench
