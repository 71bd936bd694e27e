// Kinds of failures by their names in messages.
#pragma once

#include <string_view>

#include "aduana/frontier.h"

namespace aduana {

const char* name_of(FailureKind kind);
Result<FailureKind> failure_kind_named(std::string_view name);

}  // namespace aduana
