// The key of a URL: a bijection on byte strings whose images sort by host with its labels reversed, so that the hosts
// of a domain stand together and front coding has much to share; then by port, path with query, scheme and user.
//
//   host: labels from the last to the first, 0x03 between them; IP addresses as they are written
//   key:  host, [0x02 port,] 0x01, path and query, [0x01 scheme, ["@" user]]
//         The last part is left out for https without user; a scheme that is left empty is http.
//         Of what has no "scheme://", or bytes that no canonical URL has: 0x00, and the URL as it is.
// The separators are below every byte of a canonical URL: a host stands before its longer namesakes and its subdomains.
#pragma once

#include <string>
#include <string_view>

namespace aduana {

std::string name_key(std::string_view url);
// Of bytes that are no key it returns something.
std::string url_of_key(std::string_view key);

}  // namespace aduana
