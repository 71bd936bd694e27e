// Role: what a client of the server may do. A spider reports pages and asks for more, a reader looks at everything
// and changes nothing, an admin does all.
#pragma once

#include <cstdint>
#include <string_view>

#include "aduana/result.h"

namespace aduana {

enum class Role : uint8_t { spider, reader, admin };

std::string_view name_of(Role role);
Result<Role> role_named(std::string_view name);

}  // namespace aduana
