#include "graph/names/name_key.h"

#include <algorithm>
#include <cstdint>

namespace aduana {
namespace {

constexpr char kAsItIs = '\x00';
constexpr char kEnd = '\x01';
constexpr char kPort = '\x02';
constexpr char kDot = '\x03';

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_number(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }
bool is_of_scheme(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '+' || c == '-' || c == '.'; }
// In no canonical URL; the separators of a key are some of them.
bool is_control_or_space(char c) { return static_cast<uint8_t>(c) <= ' '; }

bool is_ip_address(std::string_view host) {
  return (!host.empty() && host.front() == '[') || is_number(host.substr(host.rfind('.') + 1));
}

void append_reversed(std::string& out, std::string_view labels, char from, char to) {
  for (size_t dot; (dot = labels.rfind(from)) != labels.npos; labels = labels.substr(0, dot)) {
    out.append(labels.substr(dot + 1));
    out.push_back(to);
  }
  out.append(labels);
}

// What stands before `separator`, which is taken away from `text` with it; all if there is none.
std::string_view cut(std::string_view& text, char separator) {
  const size_t at = text.find(separator);
  const std::string_view before = text.substr(0, at);
  text = at == text.npos ? std::string_view() : text.substr(at + 1);
  return before;
}

}  // namespace

std::string name_key(std::string_view url) {
  std::string key;
  key.reserve(url.size() + 1);
  const size_t colon = url.find(':');
  const std::string_view scheme = url.substr(0, colon);
  if (colon == url.npos || url.substr(colon, 3) != "://" || scheme.empty() ||
      !std::all_of(scheme.begin(), scheme.end(), is_of_scheme) ||
      std::any_of(url.begin(), url.end(), is_control_or_space)) {
    key.push_back(kAsItIs);
    return key += url;
  }
  std::string_view host = url.substr(colon + 3);
  const std::string_view rest = host.substr(std::min(host.find_first_of("/?#"), host.size()));
  host.remove_suffix(rest.size());
  std::string_view user, port;
  const size_t at = host.rfind('@');
  if (at != host.npos) {
    user = host.substr(0, at);
    host.remove_prefix(at + 1);
  }
  if (const size_t before = host.rfind(':'); before != host.npos && is_number(host.substr(before + 1))) {
    port = host.substr(before + 1);
    host = host.substr(0, before);
  }

  if (is_ip_address(host)) {
    key.append(host);
  } else {
    append_reversed(key, host, '.', kDot);
  }
  if (!port.empty()) (key += kPort) += port;
  (key += kEnd) += rest;
  const bool with_user = at != std::string_view::npos;
  if (scheme == "https" && !with_user) return key;
  key += kEnd;
  if (scheme != "http") key += scheme;
  if (with_user) (key += '@') += user;
  return key;
}

std::string url_of_key(std::string_view key) {
  if (!key.empty() && key.front() == kAsItIs) return std::string(key.substr(1));
  std::string_view host = cut(key, kEnd);
  const size_t port = std::min(host.find(kPort), host.size());
  const std::string_view rest = key.substr(0, key.find(kEnd));
  std::string url;
  url.reserve(host.size() + key.size() + 10);
  if (rest.size() == key.size()) {
    url = "https://";
  } else {
    std::string_view user = key.substr(rest.size() + 1);
    const bool with_user = user.find('@') != user.npos;
    const std::string_view scheme = cut(user, '@');
    (url = scheme.empty() ? "http" : scheme) += "://";
    if (with_user) (url += user) += '@';
  }
  append_reversed(url, host.substr(0, port), kDot, '.');
  if (port < host.size()) (url += ':') += host.substr(port + 1);
  return url += rest;
}

}  // namespace aduana
