// How the next pages are chosen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "aduana/order.h"
#include "aduana/politeness.h"

namespace aduana {

struct ScheduleOptions {
  std::shared_ptr<const Order> order = std::make_shared<BestFirst>();
  PolitenessOptions politeness;
  std::vector<PolitenessOverride> overrides;
  AddressLimits per_address;
  size_t pending_bytes = size_t{1} << 30;  // of memory for pending pages; beyond that, tails of queues go to disk
  unsigned front_levels = 1;               // Mercator's F; each is `bias` times as likely to be chosen as the next
  double bias = 2;
  uint32_t back_queues = 0;  // Mercator's B: queues that are active at a time; 0: all
  uint64_t seed = 1;         // of the biased choice
};

}  // namespace aduana
