// Percent-encoding, and undoing it.
//
// Text to encode may hold damaged UTF-8; its broken parts are encoded as U+FFFD (%EF%BF%BD), as browsers do.
// No state, safe from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "url/byte_classes.h"

namespace aduana {

// The value of a hexadecimal digit, which `c` must be.
constexpr unsigned hex_value(char c) {
  return is_digit(static_cast<uint8_t>(c)) ? static_cast<unsigned>(c - '0')
                                           : static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

// Whether text[at] begins a "%" with two hexadecimal digits.
inline bool is_escape(std::string_view text, size_t at) {
  return text.size() - at > 2 && text[at] == '%' && has_class(text[at + 1], kHexDigit) &&
         has_class(text[at + 2], kHexDigit);
}

inline char escape_value(std::string_view text, size_t at) {
  return static_cast<char>(hex_value(text[at + 1]) << 4 | hex_value(text[at + 2]));
}

void append_escape(std::string& out, uint8_t byte);

// Appends `text`, encoding the bytes of the set `encode` (one of kEncode…).
void append_encoded(std::string& out, std::string_view text, uint16_t encode);

// Appends `text` with every escape decoded.
void append_decoded(std::string& out, std::string_view text);

// Appends `text` in the form that canonical URLs use: escapes in upper case, escaped unreserved characters decoded,
// nothing else touched. Applying it twice changes nothing more: an escape whose decoding would complete a stray "%"
// into a new escape ("%%34%31") stays as it is.
void append_normalized(std::string& out, std::string_view text);

}  // namespace aduana
