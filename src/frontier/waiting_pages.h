// The best of all pages that wait, for people to look at.
#pragma once

#include <vector>

#include "aduana/frontier.h"
#include "frontier/plan.h"
#include "store/store.h"

namespace aduana {

// The best page of each queue, the n best of these. All queues are looked at, some thousand at a time.
Result<std::vector<WaitingPage>> best_waiting(Store& store, Plan& plan, size_t n);

}  // namespace aduana
