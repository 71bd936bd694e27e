// Questions about the host of a canonical URL: is it an address, and which domain did somebody register.
//
// Hosts are as CanonicalView gives them: lower case, IPv6 in brackets. Thread-safe: the public suffix list, built into
// libpsl, is only read, and each thread has its own memory of recent answers.
#pragma once

#include <string_view>

namespace aduana {

// IPv4 in dotted form or IPv6 in brackets.
bool is_ip_address(std::string_view host);

// The part of the host that was registered: "example.co.uk" of "www.example.co.uk". A view into `host`. A dot at the
// end is left out. A host without one is its own: an address, a public suffix ("co.uk"), a single label ("localhost").
// A top level that the list does not know counts as a public suffix: "b.c" of "a.b.c".
std::string_view registrable_domain(std::string_view host);

}  // namespace aduana
