#include "aduana/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace aduana {
namespace {

// 32 bits that order like the number, the largest first. Of zeros with a sign and without neither is before the other.
uint32_t descending(float score) {
  const uint32_t bits = std::bit_cast<uint32_t>(score + 0.0f);
  const uint32_t ascending = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return ~ascending;
}

// The paper's h(K): spreads pages of the same depth and priority over all hosts.
uint64_t shuffled(PageIdx page, int bits) {
  uint64_t x = page.value + 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return (x ^ (x >> 31)) >> (64 - bits);
}

}  // namespace

OrderKey BestFirst::key(const PageFacts& page) const { return OrderKey{descending(page.score)} << 24; }

unsigned BestFirst::level(OrderKey key, unsigned levels) const {
  const uint32_t ascending = ~static_cast<uint32_t>(key >> 24);
  const float score = std::bit_cast<float>(ascending & 0x80000000u ? ascending ^ 0x80000000u : ~ascending);
  const float below = (1 - std::clamp(score, 0.0f, 1.0f)) * static_cast<float>(levels);
  return std::min(static_cast<unsigned>(below), levels - 1);
}

OrderKey BreadthFirst::key(const PageFacts& page) const {
  return OrderKey{page.domain_depth} << 48 | OrderKey{page.priority} << 40 | shuffled(page.page, 40);
}

unsigned BreadthFirst::level(OrderKey key, unsigned levels) const {
  const auto depth = static_cast<unsigned>(key >> 48);
  return std::min(depth > 0 ? depth - 1 : 0, levels - 1);
}

OrderKey PriorityFirst::key(const PageFacts& page) const {
  return OrderKey{page.priority} << 48 | OrderKey{page.domain_depth} << 40 | shuffled(page.page, 40);
}

unsigned PriorityFirst::level(OrderKey key, unsigned levels) const {
  return static_cast<unsigned>(key >> 48) * levels / (kMaxPriority + 1u);
}

OrderKey OldestFirst::key(const PageFacts& page) const {
  const int64_t ms = page.date.time_since_epoch().count();
  return static_cast<OrderKey>(std::clamp<int64_t>(ms, 0, static_cast<int64_t>(kLastOrderKey)));
}

Result<std::shared_ptr<const Order>> order_named(std::string_view name) {
  using Pointer = std::shared_ptr<const Order>;
  if (name == "best-first") return Pointer(std::make_shared<BestFirst>());
  if (name == "breadth-first") return Pointer(std::make_shared<BreadthFirst>());
  if (name == "priority-first") return Pointer(std::make_shared<PriorityFirst>());
  if (name == "oldest-first") return Pointer(std::make_shared<OldestFirst>());
  return Error(Code::invalid, fmt::format("there is no order \"{}\"; known are best-first, breadth-first, "
                                          "priority-first and oldest-first",
                                          name));
}

}  // namespace aduana
