#include "url/ip_address.h"

#include <algorithm>
#include <charconv>

#include "url/percent.h"

namespace aduana {
namespace {

// A part of an IPv4 address. Values over 32 bits stay "large": too big for any place, without overflowing.
std::optional<uint64_t> parse_ipv4_part(std::string_view text) {
  if (text.empty()) return std::nullopt;
  unsigned radix = 10;
  if (text.size() >= 2 && text[0] == '0') {
    const bool hex = (text[1] | 0x20) == 'x';
    radix = hex ? 16 : 8;
    text.remove_prefix(hex ? 2 : 1);
  }
  constexpr uint64_t kLarge = uint64_t{1} << 32;
  uint64_t value = 0;  // "0x" alone is zero
  for (char c : text) {
    if (!has_class(c, kHexDigit) || hex_value(c) >= radix) return std::nullopt;
    value = std::min(value * radix + hex_value(c), kLarge);
  }
  return value;
}

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_digit(static_cast<uint8_t>(c)); });
}

void append_number(std::string& out, unsigned value, int radix) {
  char digits[12];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, radix).ptr;
  out.append(digits, end);
}

// The four decimal octets that may end an IPv6 address: no leading zeros, nothing after them.
std::optional<uint32_t> parse_ipv4_tail(std::string_view text) {
  uint32_t address = 0;
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0) {
      if (text.empty() || text[0] != '.') return std::nullopt;
      text.remove_prefix(1);
    }
    size_t digits = 0;
    uint32_t value = 0;
    while (digits < text.size() && is_digit(static_cast<uint8_t>(text[digits]))) {
      if (digits > 0 && value == 0) return std::nullopt;
      value = value * 10 + hex_value(text[digits++]);
      if (value > 255) return std::nullopt;
    }
    if (digits == 0) return std::nullopt;
    text.remove_prefix(digits);
    address = address << 8 | value;
  }
  if (!text.empty()) return std::nullopt;
  return address;
}

}  // namespace

bool ends_in_number(std::string_view domain) {
  if (domain.ends_with('.')) domain.remove_suffix(1);
  const std::string_view last = domain.substr(domain.rfind('.') + 1);  // npos + 1 == 0: the whole
  if (last.empty() || !is_digit(static_cast<uint8_t>(last[0]))) return false;
  if (all_digits(last)) return true;
  if (last.size() < 2 || last[0] != '0' || (last[1] | 0x20) != 'x') return false;
  return std::all_of(last.begin() + 2, last.end(), [](char c) { return has_class(c, kHexDigit); });
}

std::optional<uint32_t> parse_ipv4(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  std::array<uint64_t, 4> parts;
  size_t count = 0;
  for (bool more = true; more;) {
    const size_t dot = text.find('.');
    more = dot != std::string_view::npos;
    if (count == parts.size()) return std::nullopt;
    const auto part = parse_ipv4_part(text.substr(0, dot));
    if (!part) return std::nullopt;
    parts[count++] = *part;
    if (more) text.remove_prefix(dot + 1);
  }
  // The last part fills all the bytes that are left: 127.1 is 127.0.0.1.
  uint64_t address = parts[count - 1];
  if (address >= uint64_t{1} << (8 * (5 - count))) return std::nullopt;
  for (size_t i = 0; i + 1 < count; ++i) {
    if (parts[i] > 255) return std::nullopt;
    address |= parts[i] << (8 * (3 - i));
  }
  return static_cast<uint32_t>(address);
}

void append_ipv4(std::string& out, uint32_t address) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    append_number(out, address >> shift & 255, 10);
    if (shift) out += '.';
  }
}

std::optional<Ipv6> parse_ipv6(std::string_view text) {
  Ipv6 address{};
  size_t piece = 0;
  std::optional<size_t> compress;
  size_t at = 0;
  if (text.starts_with(':')) {
    if (!text.starts_with("::")) return std::nullopt;
    at = 2;
    compress = piece;
  }
  while (at < text.size()) {
    if (piece == address.size()) return std::nullopt;
    if (text[at] == ':') {
      if (compress) return std::nullopt;
      compress = piece;
      ++at;
      continue;
    }
    const size_t start = at;
    unsigned value = 0;
    while (at < text.size() && at - start < 4 && has_class(text[at], kHexDigit))
      value = value << 4 | hex_value(text[at++]);
    if (at < text.size() && text[at] == '.') {
      if (piece > 6) return std::nullopt;
      const auto tail = parse_ipv4_tail(text.substr(start));
      if (!tail) return std::nullopt;
      address[piece++] = static_cast<uint16_t>(*tail >> 16);
      address[piece++] = static_cast<uint16_t>(*tail);
      break;
    }
    if (at == start) return std::nullopt;
    if (at < text.size()) {
      if (text[at] != ':' || ++at == text.size()) return std::nullopt;
    }
    address[piece++] = static_cast<uint16_t>(value);
  }
  if (compress) {
    // What follows "::" belongs at the end; the zeros between come from the initialisation.
    std::rotate(address.begin() + *compress, address.begin() + piece, address.end());
  } else if (piece != address.size()) {
    return std::nullopt;
  }
  return address;
}

void append_ipv6(std::string& out, const Ipv6& address) {
  // The first longest run of at least two zeros is written "::".
  size_t best = address.size(), best_length = 1;
  for (size_t i = 0; i < address.size();) {
    size_t end = i;
    while (end < address.size() && address[end] == 0) ++end;
    if (end - i > best_length) {
      best = i;
      best_length = end - i;
    }
    i = std::max(end, i + 1);
  }
  for (size_t i = 0; i < address.size(); ++i) {
    if (i == best) {
      out += i == 0 ? "::" : ":";
      i += best_length - 1;
      continue;
    }
    append_number(out, address[i], 16);
    if (i + 1 < address.size()) out += ':';
  }
}

}  // namespace aduana
