// A host as answers show it.
#pragma once

#include <string>

#include "aduana/frontier.h"

namespace aduana {

// `now`: a block that is over by then is none.
std::string host_json(const QueueStatus& host, Instant now);
// {"known":…,"queued":…,…}
std::string states_json(const std::array<uint64_t, kPageStates>& pages);

}  // namespace aduana
