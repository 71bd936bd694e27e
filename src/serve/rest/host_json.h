// A host as answers show it.
#pragma once

#include <string>

#include "aduana/frontier.h"

namespace aduana {

std::string host_json(const QueueStatus& host);
// {"known":…,"queued":…,…}
std::string states_json(const std::array<uint64_t, kPageStates>& pages);

}  // namespace aduana
