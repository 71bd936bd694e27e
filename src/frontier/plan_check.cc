// Verifying the plan: everything that is counted or kept in memory against the page records.

#include <fmt/format.h>

#include <unordered_set>

#include "frontier/plan.h"

namespace aduana {

Status Plan::check(const std::function<void(const std::string&)>& problem) {
  std::vector<std::array<uint32_t, kPageStates>> counts(schedule_->size());
  std::vector<uint32_t> crawled(schedule_->size());
  uint64_t leased = 0;
  std::unordered_set<uint64_t> due;
  for (const PendingEntry& entry : due_.entries()) due.insert(entry.page().value);
  for (PageIdx page{0}; page.value < pages_->size(); ++page.value) {
    ADUANA_ASSIGN(const PageRecord record, pages_->record(page));
    if (record.state == PageState::deleted) continue;
    if (record.queue.value >= counts.size() || !schedule_->has_queue(record.queue)) {
      problem(fmt::format("page {}: its queue is not there", page.value));
      continue;
    }
    ++counts[record.queue.value][static_cast<size_t>(record.state)];
    if (record.detail) {
      ADUANA_ASSIGN(const DetailRecord detail, pages_->detail(record.detail - 1));
      crawled[record.queue.value] += detail.n_crawls > 0;
    }
    if (record.state == PageState::scheduled && !due.contains(page.value)) {
      problem(fmt::format("page {}: scheduled, but nothing will wake it", page.value));
    }
    const bool has_lease = leases_.end_of(page).has_value();
    leased += has_lease;
    if (has_lease != (record.state == PageState::leased)) {
      problem(
          fmt::format("page {}: {}, but {} a lease", page.value, name_of(record.state), has_lease ? "has" : "without"));
    }
  }
  if (leased != leases_.size()) problem(fmt::format("{} leases of pages that are not there", leases_.size() - leased));
  for (uint32_t id = 0; id < counts.size(); ++id) {
    if (!schedule_->has_queue({id})) continue;
    const Queue& queue = schedule_->queue({id});
    const std::string_view name = pages_->hosts().name_of({id});
    for (size_t state = 0; state < kPageStates; ++state) {
      if (queue.pages[state] == counts[id][state]) continue;
      problem(fmt::format("queue {}: {} pages are counted as {}, {} are", name, queue.pages[state],
                          name_of(static_cast<PageState>(state)), counts[id][state]));
    }
    if (queue.crawled != crawled[id]) {
      problem(fmt::format("queue {}: {} pages are counted as crawled, {} are", name, queue.crawled, crawled[id]));
    }
    ADUANA_ASSIGN(const auto pending, pending_of({id}));
    if (pending.size() != counts[id][static_cast<size_t>(PageState::queued)]) {
      problem(fmt::format("queue {}: {} pages are queued, {} of them are to be had", name,
                          counts[id][static_cast<size_t>(PageState::queued)], pending.size()));
    }
  }
  return {};
}

}  // namespace aduana
