// Errors about a URL: the message begins with the URL, shortened, and quoted as in JSON, so that any bytes make a
// readable line. Internal to url/. No state, safe from any thread.
#pragma once

#include <string_view>

#include "aduana/result.h"

namespace aduana {

Error url_error(Code code, std::string_view url, std::string_view reason);

}  // namespace aduana
