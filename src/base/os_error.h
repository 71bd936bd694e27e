// os_error: what the operating system refused, as an Error that names the path, the operation and, where there is one,
// the remedy. `error` is a value of errno.
#pragma once

#include <string>

#include "aduana/result.h"

namespace aduana {

Error os_error(const std::string& path, const char* operation, int error);

}  // namespace aduana
