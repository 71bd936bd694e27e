// What simdjson, which reads our JSON, leaves to do: writing strings, and reading those that hold half a surrogate
// pair.
//
// Written JSON is valid whatever the bytes: damaged UTF-8 becomes U+FFFD, control bytes become escapes.
// No state, safe from any thread.
#pragma once

#include <string>
#include <string_view>

namespace aduana {

// Appends `text` as a JSON string with its quotes.
void append_json_string(std::string& out, std::string_view text);

// Rewrites, in place, the escapes of lone surrogates (\ud800 without its other half) as \ufffd. JSON allows them and
// JavaScript writes them, but no UTF-8 can hold them and simdjson refuses the whole document.
void replace_lone_surrogates(std::string& json);

}  // namespace aduana
