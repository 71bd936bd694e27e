#include "serve/rest/host_table.h"

#include <algorithm>
#include <set>

namespace aduana {

namespace {

constexpr size_t kAtOnce = 1000;
constexpr Millis kFresh{2000};
constexpr int kTimesAsLong = 10;  // reading all of them takes at most this part of the time

}  // namespace

Result<HostSort> host_sort_named(std::string_view name) {
  constexpr std::string_view kNames[] = {"pending",     "in_flight", "done",     "gone",
                                         "temperature", "next_time", "failures", "name"};
  const auto at = std::find(std::begin(kNames), std::end(kNames), name);
  if (at != std::end(kNames)) return static_cast<HostSort>(at - std::begin(kNames));
  return Error(Code::invalid, "sort must be pending, in_flight, done, gone, temperature, next_time, failures or name");
}

Result<std::shared_ptr<const HostTable::Rows>> HostTable::rows() {
  const auto kept = [&] {
    const std::lock_guard lock(mutex_);
    return rows_;
  };
  const auto is_fresh = [&](const Rows& rows) {
    return clock_.elapsed() - rows.read_at < std::max(kFresh, kTimesAsLong * rows.took);
  };
  auto rows = kept();
  if (rows && is_fresh(*rows)) return rows;
  std::unique_lock reading(reading_, std::defer_lock);
  if (rows && !reading.try_lock()) return rows;
  if (!rows) reading.lock();
  rows = kept();  // perhaps somebody has read them meanwhile
  if (rows && is_fresh(*rows)) return rows;
  ADUANA_ASSIGN(rows, read_rows());
  const std::lock_guard lock(mutex_);
  rows_ = rows;
  return rows;
}

Result<std::shared_ptr<const HostTable::Rows>> HostTable::read_rows() {
  const Millis now = clock_.elapsed();
  auto rows = std::make_shared<Rows>();
  rows->as_of = clock_.now();
  std::set<std::string> crawls;
  for (uint32_t from = 0;;) {
    ADUANA_ASSIGN(const auto queues, frontier_.queues(from, kAtOnce));
    if (queues.empty()) break;
    for (const QueueStatus& q : queues) {
      if (rows->rows.empty() || rows->rows.back().crawl != q.crawl) crawls.insert(q.crawl);
      rows->rows.push_back({q.key, q.crawl, q.count(PageState::queued), q.count(PageState::leased),
                            q.count(PageState::done) + q.count(PageState::scheduled), q.count(PageState::gone),
                            q.temperature, q.next_time, q.failures_in_a_row});
    }
    from = queues.back().number + 1;
  }
  for (auto crawl = crawls.begin(); crawl != crawls.end() && rows->crawls.size() < kMostCrawls; ++crawl) {
    rows->crawls.push_back(*crawl);
  }
  rows->read_at = clock_.elapsed();
  rows->took = rows->read_at - now;
  return std::shared_ptr<const Rows>(std::move(rows));
}

bool HostTable::less(const Row& a, const Row& b, HostSort sort) {
  switch (sort) {
    case HostSort::pending:
      return a.pending < b.pending;
    case HostSort::in_flight:
      return a.in_flight < b.in_flight;
    case HostSort::done:
      return a.done < b.done;
    case HostSort::gone:
      return a.gone < b.gone;
    case HostSort::temperature:
      return a.temperature < b.temperature;
    case HostSort::next_time:
      return a.next_time < b.next_time;
    case HostSort::failures:
      return a.failures < b.failures;
    case HostSort::name:
      break;
  }
  return a.key < b.key;
}

Result<HostTable::Page> HostTable::find(const HostQuery& query) {
  ADUANA_ASSIGN(const auto all, rows());
  std::vector<const Row*> found;
  for (const Row& row : all->rows) {
    if (!query.crawl.empty() && row.crawl != query.crawl) continue;
    if (row.key.find(query.search) != std::string::npos) found.push_back(&row);
  }
  Page page;
  page.total = found.size();
  page.as_of = all->as_of;
  page.crawls = all->crawls;
  const auto end = static_cast<ptrdiff_t>(std::min(found.size(), query.offset + query.limit));
  const auto before = [&](const Row* a, const Row* b) {
    if (less(*a, *b, query.sort)) return !query.descending;
    if (less(*b, *a, query.sort)) return query.descending;
    return a->key < b->key || (a->key == b->key && a->crawl < b->crawl);
  };
  std::partial_sort(found.begin(), found.begin() + end, found.end(), before);
  for (auto at = static_cast<ptrdiff_t>(query.offset); at < end; ++at) {
    auto status = frontier_.queue(found[static_cast<size_t>(at)]->key, found[static_cast<size_t>(at)]->crawl);
    if (status) page.hosts.push_back(std::move(*status));
  }
  return page;
}

}  // namespace aduana
