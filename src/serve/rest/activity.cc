#include "serve/rest/activity.h"

#include <algorithm>

#include "serve/rest/failure_kinds.h"

namespace aduana {

// Empties the seconds in which nothing happened.
void Activity::move_on(uint64_t to) {
  if (to <= now_) return;
  for (uint64_t s = std::max(now_ + 1, to >= kSlots ? to - kSlots + 1 : 0); s <= to; ++s) {
    for (auto& slots : slots_) slots[s % kSlots] = 0;
  }
  now_ = to;
}

void Activity::count(Act act, uint64_t n) {
  if (n == 0) return;
  totals_[static_cast<size_t>(act)] += n;
  const uint64_t at = second();
  const std::lock_guard lock(mutex_);
  move_on(at);
  slots_[static_cast<size_t>(act)][now_ % kSlots] += n;
}

std::vector<uint64_t> Activity::series(Act act) const {
  const uint64_t at = second();
  const std::lock_guard lock(mutex_);
  std::vector<uint64_t> series;
  series.reserve(kSeconds);
  // Before it was started nothing is known, which is not the same as nothing having happened.
  const uint64_t lived = at - static_cast<uint64_t>(started_.count()) / 1000;
  for (size_t i = std::min<uint64_t>(kSeconds, lived); i > 0; --i) {
    const bool counted = at >= i && at - i <= now_ && now_ - (at - i) < kSlots;
    series.push_back(counted ? slots_[static_cast<size_t>(act)][(at - i) % kSlots] : 0);
  }
  return series;
}

double Activity::rate(Act act) const {
  constexpr size_t kOver = 10;
  const auto all = series(act);
  uint64_t sum = 0;
  const size_t over = std::min(all.size(), kOver);
  for (size_t i = all.size() - over; i < all.size(); ++i) sum += all[i];
  return over ? static_cast<double>(sum) / static_cast<double>(over) : 0;
}

void Activity::add_failure(const PageRef& page, FailureKind kind, std::string_view reason) {
  std::string word(reason.empty() ? name_of(kind) : reason.substr(0, 100));
  const std::lock_guard lock(mutex_);
  // A client that makes up reasons must not fill the memory.
  auto at = reasons_.find(word);
  if (at == reasons_.end()) at = reasons_.emplace(reasons_.size() < kMostReasons ? word : "other", 0).first;
  ++at->second;
  failures_.push_front({clock_.now(), std::string(page.url.substr(0, kMostText)),
                        std::string(page.crawl.empty() ? kDefaultCrawl : page.crawl), std::string(page.queue), kind,
                        std::move(word)});
  if (failures_.size() > kMostFailures) failures_.pop_back();
}

std::vector<RecentFailure> Activity::failures(size_t most) const {
  const std::lock_guard lock(mutex_);
  return {failures_.begin(), failures_.begin() + static_cast<ptrdiff_t>(std::min(most, failures_.size()))};
}

std::map<std::string, uint64_t> Activity::failures_by_reason() const {
  const std::lock_guard lock(mutex_);
  return reasons_;
}

}  // namespace aduana
