#include "url/percent.h"

#include <algorithm>

#include "base/utf8.h"

namespace aduana {
namespace {
constexpr char kHexDigits[] = "0123456789ABCDEF";
}

void append_escape(std::string& out, uint8_t byte) {
  const char escape[3] = {'%', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
  out.append(escape, sizeof escape);
}

void append_encoded(std::string& out, std::string_view text, uint16_t encode) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const size_t run = find_class({at, static_cast<size_t>(end - at)}, encode);
    out.append(at, run);
    at += run;
    if (at == end) break;
    if (static_cast<uint8_t>(*at) < 0x80) {
      append_escape(out, static_cast<uint8_t>(*at++));
      continue;
    }
    const char* sequence = at;
    if (decode_utf8(at, end) == kReplacement) {
      out += "%EF%BF%BD";  // also right for a genuine U+FFFD
    } else {
      for (; sequence < at; ++sequence) append_escape(out, static_cast<uint8_t>(*sequence));
    }
  }
}

void append_decoded(std::string& out, std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_escape(text, i)) {
      out += escape_value(text, i);
      i += 2;
    } else {
      out += text[i];
    }
  }
}

void append_normalized(std::string& out, std::string_view text) {
  // How many of the next bytes of output could, as digits, still complete a stray "%".
  int exposed = 0;
  size_t i = 0;
  while (i < text.size()) {
    if (text[i] != '%') {
      const size_t run = i;
      i = std::min(text.find('%', run), text.size());
      out.append(text, run, i - run);
      exposed = i - run == 1 && has_class(text[run], kHexDigit) ? exposed - 1 : 0;
      continue;
    }
    if (!is_escape(text, i)) {
      out += '%';
      exposed = 2;
      ++i;
      continue;
    }
    const char value = escape_value(text, i);
    if (has_class(value, kUnreserved) && !(exposed > 0 && has_class(value, kHexDigit))) {
      out += value;
      exposed = 0;  // it is no hexadecimal digit, or nothing was exposed
    } else {
      append_escape(out, static_cast<uint8_t>(value));
      exposed = 0;
    }
    i += 3;
  }
}

}  // namespace aduana
