// The identities inside the store: a page by its dense index (the public PageIdx), a host or queue by its dense number.
#pragma once

#include <compare>
#include <cstdint>

#include "aduana/page.h"

namespace aduana {

// The number of a name in HostNames, in order of first sight: of a host, and of a queue when that is something else.
struct HostId {
  uint32_t value = 0;
  auto operator<=>(const HostId&) const = default;
};

}  // namespace aduana
