#include "url/canonical_fast.h"

#include <algorithm>
#include <array>

#include "url/percent.h"

namespace aduana {
namespace {

constexpr auto npos = std::string_view::npos;

// What makes the scan of a part stop and look. Bytes that stop neither are canonical as they stand.
enum Stop : uint8_t { kStopHost = 1, kStopPath = 2, kStopQuery = 4 };

constexpr std::array<uint8_t, 256> kStops = [] {
  std::array<uint8_t, 256> table{};
  for (int i = 0; i < 256; ++i) {
    const auto c = static_cast<uint8_t>(i);
    const uint16_t classes = byte_classes_of(c);
    const bool host = (c >= 'a' && c <= 'z') || is_digit(c) || c == '.' || c == '-' || c == '_';
    // A dot may begin a dot segment, a percent sign an escape that is not canonical.
    const bool path = !(classes & kEncodePath) && c != '\\' && c != '.' && c != '%';
    const bool query = !(classes & kEncodeSpecialQuery) && c != '%';
    table[i] = static_cast<uint8_t>((host ? 0 : kStopHost) | (path ? 0 : kStopPath) | (query ? 0 : kStopQuery));
  }
  return table;
}();

inline const char* find_stop(const char* at, const char* end, uint8_t stop) {
  const auto in = [&](int i) { return kStops[static_cast<uint8_t>(at[i])]; };
  while (end - at >= 4 && !((in(0) | in(1) | in(2) | in(3)) & stop)) at += 4;
  while (at < end && !(in(0) & stop)) ++at;
  return at;
}

// An escape in upper case of a character that stays escaped.
bool is_canonical_escape(const char* at, const char* end) {
  const std::string_view rest(at, static_cast<size_t>(end - at));
  if (!is_escape(rest, 0)) return false;
  return rest[1] < 'a' && rest[2] < 'a' && !has_class(escape_value(rest, 0), kUnreserved);
}

// Whether the dot at `at` begins a segment "." or "..".
bool is_dot_segment(const char* at, const char* end) {
  if (at[-1] != '/') return false;
  ++at;
  if (at < end && *at == '.') ++at;
  return at == end || *at == '/' || *at == '?' || *at == '#';
}

// The end of the canonical text, when what begins at text[path], a slash, is a canonical path and query with or without
// a fragment; npos otherwise.
size_t scan_path_and_query(std::string_view text, size_t path, const ParamRules& rules) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* at = begin + path;
  for (;; ++at) {
    at = find_stop(at, end, kStopPath);
    if (at == end || *at == '?' || *at == '#') break;
    if (*at == '.') {
      if (is_dot_segment(at, end)) return npos;
    } else if (*at == '%' && is_canonical_escape(at, end)) {
      at += 2;
    } else {
      return npos;
    }
  }
  const auto path_end = static_cast<size_t>(at - begin);
  if (rules.touch_path() && rules.change_path(text.substr(path, path_end - path))) return npos;
  if (at == end || *at == '#') return path_end;
  for (++at;; ++at) {
    at = find_stop(at, end, kStopQuery);
    if (at == end || *at == '#') break;
    if (*at != '%' || !is_canonical_escape(at, end)) return npos;
    at += 2;
  }
  const auto query_end = static_cast<size_t>(at - begin);
  if (query_end == path_end + 1) return path_end;
  if (rules.change_query(text.substr(path_end + 1, query_end - path_end - 1))) return npos;
  return query_end;
}

// A domain that the standard takes for no IPv4 address.
bool is_plain_domain(std::string_view host) {
  if (host.empty() || host.back() == '.') return false;
  return !is_digit(static_cast<uint8_t>(host[host.rfind('.') + 1]));
}

// The end of a port as the standard writes it, at text[at]; npos for any other.
size_t scan_port(std::string_view text, size_t at, unsigned default_port) {
  unsigned port = 0;
  const size_t start = at;
  while (at < text.size() && at - start < 6 && is_digit(static_cast<uint8_t>(text[at]))) {
    port = port * 10 + hex_value(text[at++]);
  }
  if (at == start || text[start] == '0' || port > 65535 || port == default_port) return npos;
  return at;
}

// Where the parts of a plain absolute http(s) URL are; the path may be missing.
struct Authority {
  size_t host;
  size_t host_end;
  size_t path;
};

std::optional<Authority> scan_authority(std::string_view url) {
  size_t host;
  if (url.starts_with("https://")) {
    host = 8;
  } else if (url.starts_with("http://")) {
    host = 7;
  } else {
    return std::nullopt;
  }
  const char* const stop = find_stop(url.data() + host, url.data() + url.size(), kStopHost);
  const auto host_end = static_cast<size_t>(stop - url.data());
  if (!is_plain_domain(url.substr(host, host_end - host))) return std::nullopt;
  size_t path = host_end;
  if (path < url.size() && url[path] == ':') {
    path = scan_port(url, path + 1, host == 8 ? 443 : 80);
    if (path == npos) return std::nullopt;
  }
  if (path < url.size() && url[path] != '/' && url[path] != '?' && url[path] != '#') return std::nullopt;
  return Authority{host, host_end, path};
}

bool lacks_slash(std::string_view url, const Authority& authority) {
  return authority.path == url.size() || url[authority.path] != '/';
}

// Sets `view` if what follows the authority is canonical.
void finish(std::optional<CanonicalView>& view, std::string_view text, const Authority& authority,
            const ParamRules& rules) {
  const size_t end = scan_path_and_query(text, authority.path, rules);
  if (end == npos || end > kMaxUrlBytes) return;
  view.emplace(CanonicalView{{text.data(), end}, {text.data() + authority.host, authority.host_end - authority.host}});
}

// The same for a URL in a buffer, which gets its slash if it lacks one.
void finish_buffer(std::optional<CanonicalView>& view, std::string& buffer, const ParamRules& rules) {
  const auto authority = scan_authority(buffer);
  if (!authority) return;
  if (lacks_slash(buffer, *authority)) buffer.insert(authority->path, 1, '/');
  finish(view, buffer, *authority, rules);
}

// Puts an absolute URL into `buffer` with the commonest deviations set right: upper case before the path, escapes in
// it. Each step is one that the slow way would take as well, so whatever passes the scan after it is canonical.
bool repair(std::string& buffer, std::string_view url) {
  const size_t colon = url.find(':');
  if ((colon != 4 && colon != 5) || url.substr(colon, 3) != "://") return false;
  const size_t path = colon + 3 + find_class(url.substr(colon + 3), kEndsAuthority);
  buffer.assign(url.substr(0, path));
  std::transform(buffer.begin(), buffer.end(), buffer.begin(), to_lower);
  append_normalized(buffer, url.substr(path));
  return true;
}

// Whether the reference might begin with a scheme: a colon stands before anything that ends the first segment.
bool may_have_scheme(std::string_view reference) {
  const size_t end = find_class(reference, kEndsAuthority | kColon);
  return end < reference.size() && reference[end] == ':';
}

// Puts base and reference together in `buffer`, with normal escapes and without the dot segments that begin the
// reference.
void join(std::string& buffer, const Url& base, std::string_view reference) {
  buffer.assign(base.before_path());
  if (reference.empty() || reference[0] == '#') {
    append_normalized(buffer, base.pathname());
    append_normalized(buffer, base.search());
    return;
  }
  if (reference[0] == '/') {
    append_normalized(buffer, reference);
    return;
  }
  std::string_view path = base.pathname();
  if (reference[0] != '?') {
    path = path.substr(0, path.rfind('/') + 1);
    for (;;) {
      if (reference.starts_with("./")) {
        reference.remove_prefix(2);
      } else if (reference.starts_with("../")) {
        reference.remove_prefix(3);
        if (path.size() > 1) path = path.substr(0, path.rfind('/', path.size() - 2) + 1);
      } else {
        break;
      }
    }
  }
  append_normalized(buffer, path);
  append_normalized(buffer, reference);
}

}  // namespace

std::optional<CanonicalView> canonicalize_quickly(std::string_view url, const ParamRules& rules, std::string& buffer) {
  url = trim_controls(url);
  std::optional<CanonicalView> view;
  const auto authority = scan_authority(url);
  if (authority && !lacks_slash(url, *authority)) finish(view, url, *authority, rules);
  if (!view && repair(buffer, url)) finish_buffer(view, buffer, rules);
  return view;
}

std::optional<CanonicalView> resolve_quickly(std::string_view reference, const Url& base, const ParamRules& rules,
                                             std::string& buffer) {
  std::optional<CanonicalView> view;
  if (!base.is_http()) return view;
  reference = trim_controls(reference);
  if (!reference.empty() && (reference[0] | 0x20) == 'h') {
    view = canonicalize_quickly(reference, rules, buffer);
    if (view) return view;
  }
  if (reference.starts_with("//")) {
    buffer.assign(base.protocol());
    buffer += reference;
    finish_buffer(view, buffer, rules);
  } else if (!base.has_credentials() && !may_have_scheme(reference)) {
    join(buffer, base, reference);
    const std::string_view hostname = base.hostname();
    const auto host = static_cast<size_t>(hostname.data() - base.href().data());
    finish(view, buffer, {host, host + hostname.size(), base.before_path().size()}, rules);
  }
  return view;
}

}  // namespace aduana
