#include "schedule/leases.h"

#include <algorithm>

#include "base/bytes.h"

namespace aduana {

void Leases::add(PageIdx page, Instant end) {
  ends_[page] = end;
  by_time_.push({end, page});
  drop_old_ends();
}

bool Leases::remove(PageIdx page) { return ends_.erase(page) > 0; }

std::optional<Instant> Leases::end_of(PageIdx page) const {
  const auto found = ends_.find(page);
  return found == ends_.end() ? std::nullopt : std::optional(found->second);
}

bool Leases::is_current(const End& end) const {
  const auto found = ends_.find(end.page);
  return found != ends_.end() && found->second == end.time;
}

// Confirmed long before their end, they would be most of the heap.
void Leases::drop_old_ends() {
  if (by_time_.size() < 1024 || by_time_.size() < 4 * ends_.size()) return;
  std::vector<End> current;
  current.reserve(ends_.size());
  for (const auto& [page, end] : ends_) current.push_back({end, page});
  by_time_ = decltype(by_time_)(std::greater<>(), std::move(current));
}

std::optional<Instant> Leases::next_end() {
  while (!by_time_.empty() && !is_current(by_time_.top())) by_time_.pop();
  return by_time_.empty() ? std::nullopt : std::optional(by_time_.top().time);
}

std::vector<PageIdx> Leases::ended(Instant now, size_t most) {
  std::vector<End> taken;
  while (taken.size() < most) {
    const auto next = next_end();
    if (!next || *next > now) break;
    taken.push_back(by_time_.top());
    by_time_.pop();
    // The same lease may be here twice, when it was given again with the same end.
    while (!by_time_.empty() && by_time_.top().page == taken.back().page && by_time_.top().time == *next)
      by_time_.pop();
  }
  std::vector<PageIdx> pages;
  for (const End& end : taken) {
    pages.push_back(end.page);
    by_time_.push(end);
  }
  return pages;
}

std::string Leases::save() const {
  std::vector<End> all;
  for (const auto& [page, end] : ends_) all.push_back({end, page});
  std::sort(all.begin(), all.end(), [](const End& a, const End& b) { return a.page < b.page; });
  std::string out;
  append_varint(out, all.size());
  uint64_t previous = 0;
  for (const End& end : all) {
    append_varint(out, end.page.value - previous);
    append_varint(out, static_cast<uint64_t>(end.time.time_since_epoch().count()));
    previous = end.page.value;
  }
  return out;
}

Status Leases::load(std::string_view bytes) {
  ends_.clear();
  by_time_ = {};
  ByteReader in(bytes);
  PageIdx page{0};
  for (uint64_t left = in.varint(); left > 0 && in.ok(); --left) {
    page.value += in.varint();
    add(page, Instant{Millis{static_cast<int64_t>(in.varint())}});
  }
  if (!in.ok() || !in.at_end()) return Error(Code::corrupt, "the leases of the checkpoint can't be decoded");
  return {};
}

}  // namespace aduana
