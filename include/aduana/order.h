// The order of pages in a queue, and of queues among each other: a policy that turns what is known about a page into a
// sortable key. The page with the smallest key comes first; of two with the same key, the one found first.
//
// A key is 56 bits, so that an entry of a queue takes 12 bytes. It must depend on nothing but the
// facts: when a store is opened the queues are made again from them, and an entry whose key is not that of its page any
// more is taken for one that was left behind. Policies are stateless and thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "aduana/page.h"
#include "aduana/result.h"
#include "aduana/time.h"

namespace aduana {

using OrderKey = uint64_t;
inline constexpr int kOrderKeyBits = 56;
inline constexpr OrderKey kLastOrderKey = (OrderKey{1} << kOrderKeyBits) - 1;

// What an order may look at.
struct PageFacts {
  PageIdx page;
  float score = 0;
  uint16_t seed_depth = 0;   // links from a seed
  uint8_t domain_depth = 0;  // links within its domain, from where the crawl came into it; 1 is the entrance
  uint8_t priority = 0;      // the client's: 0 is the highest
  Instant date{};            // when it was found, or from when on it is to be crawled again
};

class Order {
 public:
  virtual ~Order() = default;
  virtual OrderKey key(const PageFacts& page) const = 0;
  // Is PageFacts::date looked at?
  virtual bool needs_date() const { return false; }
  // Which of `levels` front queues a page with this key belongs in; 0 is that of the highest priority.
  virtual unsigned level(OrderKey key, unsigned levels) const {
    (void)key, (void)levels;
    return 0;
  }
};

// The best score first. Front levels divide the scores from 1 to 0 evenly.
class BestFirst final : public Order {
 public:
  OrderKey key(const PageFacts& page) const override;
  unsigned level(OrderKey key, unsigned levels) const override;
};

// Depth, then priority, then at random: the index G ⊕ p(K) ⊕ h(K) of the URL-database paper.
class BreadthFirst final : public Order {
 public:
  OrderKey key(const PageFacts& page) const override;
  unsigned level(OrderKey key, unsigned levels) const override;
};

// Priority, then depth, then at random.
class PriorityFirst final : public Order {
 public:
  OrderKey key(const PageFacts& page) const override;
  unsigned level(OrderKey key, unsigned levels) const override;
};

// The earliest date first.
class OldestFirst final : public Order {
 public:
  OrderKey key(const PageFacts& page) const override;
  bool needs_date() const override { return true; }
};

// "best-first", "breadth-first", "priority-first" or "oldest-first".
Result<std::shared_ptr<const Order>> order_named(std::string_view name);

}  // namespace aduana
