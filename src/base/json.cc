#include "base/json.h"

#include <charconv>
#include <cstdint>

#include "base/utf8.h"

namespace aduana {
namespace {

void append_escape(std::string& out, uint8_t byte) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
  }
}

// DEL is legal in JSON but upsets terminals, so it is escaped with the other control bytes.
bool is_plain(uint8_t byte) { return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\'; }

// The code unit of the escape \uXXXX at `at`, or -1 when there is none.
int code_unit_at(std::string_view json, size_t at) {
  if (json.size() < at + 6 || json[at] != '\\' || json[at + 1] != 'u') return -1;
  int unit = 0;
  const auto [end, error] = std::from_chars(json.data() + at + 2, json.data() + at + 6, unit, 16);
  return error == std::errc() && end == json.data() + at + 6 && unit >= 0 ? unit : -1;
}

bool is_high_surrogate(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low_surrogate(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const char* run = at;
    while (at < end && is_plain(static_cast<uint8_t>(*at))) ++at;
    out.append(run, at);
    if (at == end) break;
    if (static_cast<uint8_t>(*at) < 0x80) {
      append_escape(out, static_cast<uint8_t>(*at++));
    } else {
      const uint32_t code = decode_utf8(at, end);
      const bool is_control = code >= 0x80 && code < 0xa0;  // C1: a terminal may obey them
      if (is_control) {
        append_escape(out, static_cast<uint8_t>(code));
      } else {
        append_utf8(out, code);
      }
    }
  }
  out += '"';
}

void replace_lone_surrogates(std::string& json) {
  // Backslashes stand only within strings, so the text need not be understood beyond them.
  for (size_t at = json.find('\\'); at != std::string::npos; at = json.find('\\', at)) {
    const int unit = code_unit_at(json, at);
    if (is_high_surrogate(unit) && is_low_surrogate(code_unit_at(json, at + 6))) {
      at += 12;
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      json.replace(at, 6, "\\ufffd");
      at += 6;
    } else {
      at += 2;  // also past an escaped backslash, whose second half begins nothing
    }
  }
}

}  // namespace aduana
