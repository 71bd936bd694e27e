// Base64 (RFC 4648 §4), strictly: with padding, without white space, and with one spelling for each sequence of bytes.
// No state, safe from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aduana {

std::string base64_encoded(std::string_view bytes);
// Nothing when it is not what base64_encoded() writes.
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace aduana
