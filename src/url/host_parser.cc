#include "url/host_parser.h"

#include "url/idna.h"
#include "url/ip_address.h"
#include "url/percent.h"

namespace aduana {
namespace {

bool any_of_class(std::string_view text, uint16_t classes) { return find_class(text, classes) < text.size(); }

const char* append_ipv6_host(std::string& out, std::string_view input) {
  if (!input.ends_with(']')) return "the IPv6 address has no closing bracket";
  const auto address = parse_ipv6(input.substr(1, input.size() - 2));
  if (!address) return "the IPv6 address is invalid";
  out += '[';
  append_ipv6(out, *address);
  out += ']';
  return nullptr;
}

}  // namespace

const char* append_host(std::string& out, std::string_view input, bool special) {
  if (input.starts_with('[')) return append_ipv6_host(out, input);
  if (!special) {
    if (any_of_class(input, kForbiddenHost)) return "the host holds a forbidden character";
    append_encoded(out, input, kEncodeC0);
    return nullptr;
  }
  const size_t start = out.size();
  bool valid;
  if (input.find('%') == std::string_view::npos) {
    valid = append_domain_to_ascii(out, input);
  } else {
    std::string decoded;
    append_decoded(decoded, input);
    valid = append_domain_to_ascii(out, decoded);
  }
  if (!valid) return "the host is not a valid domain name";
  const std::string_view domain = std::string_view(out).substr(start);
  if (domain.empty()) return "the host is empty";
  if (any_of_class(domain, kForbiddenDomain)) return "the host holds a forbidden character";
  if (!ends_in_number(domain)) return nullptr;
  const auto address = parse_ipv4(domain);
  if (!address) return "the host ends in a number but is not an IPv4 address";
  out.resize(start);
  append_ipv4(out, *address);
  return nullptr;
}

}  // namespace aduana
