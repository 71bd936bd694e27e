// The host of a URL, from what was written to its serialised form: domain, IPv4, IPv6 in brackets or opaque host.
//
// No state, safe from any thread.
#pragma once

#include <string>
#include <string_view>

namespace aduana {

// Appends the serialised host. Returns nullptr, or, with `out` unspecified after its old end, why the host is invalid.
// `special` says that the scheme is one whose hosts are domains; others have opaque hosts.
const char* append_host(std::string& out, std::string_view input, bool special);

}  // namespace aduana
