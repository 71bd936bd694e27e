// The time as HTTP has it: "Tue, 23 Jun 2015 08:40:46 GMT".
#pragma once

#include <string>

namespace aduana {

// Now. Made anew once a second in each thread.
const std::string& http_date();

}  // namespace aduana
