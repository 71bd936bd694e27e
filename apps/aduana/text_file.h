// Small files that a user names: read whole, with errors that say what is wrong with them.
#pragma once

#include <string>

#include "aduana/result.h"

namespace aduana {

Result<std::string> read_text_file(const std::string& path);

}  // namespace aduana
