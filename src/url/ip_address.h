// IP addresses as the URL standard reads and writes them: IPv4 with its octal, hexadecimal and shortened forms, IPv6
// with compression and an embedded IPv4 tail. No state, safe from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aduana {

// Whether the last label of a domain is a number, so that the domain must be an IPv4 address or is invalid.
bool ends_in_number(std::string_view domain);

std::optional<uint32_t> parse_ipv4(std::string_view text);
void append_ipv4(std::string& out, uint32_t address);

using Ipv6 = std::array<uint16_t, 8>;

// `text` is without brackets, and so is what append_ipv6 writes.
std::optional<Ipv6> parse_ipv6(std::string_view text);
void append_ipv6(std::string& out, const Ipv6& address);

}  // namespace aduana
