#include "frontier/waiting_pages.h"

#include <algorithm>

#include "pages/queue_name.h"

namespace aduana {

namespace {

constexpr uint32_t kQueuesAtOnce = 4096;

struct Waiting {
  PendingEntry entry;
  HostId queue;
  bool operator<(const Waiting& other) const { return entry < other.entry; }
};

// Keeps the n best of them and of the next queues.
bool look_at(const Schedule& schedule, uint32_t from, size_t n, std::vector<Waiting>& best) {
  const auto end = static_cast<uint32_t>(std::min<size_t>(schedule.size(), size_t{from} + kQueuesAtOnce));
  for (uint32_t id = from; id < end; ++id) {
    if (!schedule.has_queue({id}) || schedule.queue(HostId{id}).pending.empty()) continue;
    best.push_back({schedule.queue(HostId{id}).pending.top(), {id}});
  }
  const size_t kept = std::min(n, best.size());
  std::partial_sort(best.begin(), best.begin() + static_cast<ptrdiff_t>(kept), best.end());
  best.resize(kept);
  return end < schedule.size();
}

Status describe(Pages& pages, Plan& plan, const std::vector<Waiting>& best, std::vector<WaitingPage>& out) {
  UrlLog::Single single;
  for (const Waiting& waiting : best) {
    const PageIdx page = waiting.entry.page();
    ADUANA_ASSIGN(const PageRecord record, pages.record(page));
    if (record.state != PageState::queued) continue;  // it left its queue, and the entry was not looked at since
    ADUANA_ASSIGN(const Birth birth, pages.birth_alone(page, single));
    const std::string_view queue = pages.hosts().name_of(waiting.queue);
    out.push_back({std::string(birth.url), plan.ranks().of(page, record), record.depth, std::string(crawl_of(queue)),
                   std::string(key_of(queue))});
  }
  return {};
}

}  // namespace

Result<std::vector<WaitingPage>> best_waiting(Store& store, Plan& plan, size_t n) {
  std::vector<Waiting> best;
  std::vector<WaitingPage> pages;
  bool more = true;
  for (uint32_t from = 0; more; from += kQueuesAtOnce) {
    ADUANA_TRY(store.look([&](Pages& all) -> Status {
      more = look_at(plan.schedule(), from, n, best);
      return more ? Status{} : describe(all, plan, best, pages);
    }));
  }
  return pages;
}

}  // namespace aduana
