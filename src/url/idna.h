// International domain names: from Unicode to the ASCII that DNS speaks (UTS #46, non-transitional), through ICU.
//
// Thread-safe: ICU's object is made once and only read.
#pragma once

#include <string>
#include <string_view>

namespace aduana {

// Appends the ASCII form of `domain`, UTF-8 that may be damaged, by the standard's "domain to ASCII" with beStrict off:
// ASCII domains are only lower-cased, even when a label is no valid Punycode. Returns false, with `out` unspecified
// after its old end, when the domain is not a valid one. Forbidden code points are for the caller to look for.
bool append_domain_to_ascii(std::string& out, std::string_view domain);

}  // namespace aduana
