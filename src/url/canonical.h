// The canonical form of a URL: the one text under which the crawler knows a page, however a link to it was written.
//
// It is the URL standard's serialisation, and further: no fragment; no empty query ("/a?" becomes "/a"); escapes in
// upper case; escaped unreserved characters decoded (%7E is ~, %41 is A; nothing else is, and other characters are
// encoded only where the standard does); and what the options ask for. Credentials stay, since they name a different
// resource.
//
// Invariant: canonical text is its own canonical form, under the same options.
// Thread safety: a Canonicalizer keeps buffers; give each thread its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"
#include "url/param_rules.h"
#include "url/url.h"

namespace aduana {

// Canonical text up to this length is kept whole; longer is an error, Code::too_large.
inline constexpr size_t kMaxUrlBytes = 65536;

struct CanonicalOptions {
  // Orders the query's parameters by name; those of one name keep their order.
  bool sort_query = false;
  // Parameters to leave out of the query: names, or with a trailing * beginnings of names; upper and lower case differ.
  // With a leading ; parameters of http(s) path segments: ";jsessionid" turns "/a;jsessionid=1/b" into "/a/b".
  std::vector<std::string> strip_params;

  bool operator==(const CanonicalOptions&) const = default;

  static const std::vector<std::string>& tracking_params();  // utm_*, gclid, fbclid, …: who brought the visitor
  static const std::vector<std::string>& session_params();   // jsessionid, PHPSESSID, sid, …: who the visitor is
};

// Valid until the next call of the Canonicalizer that made it, or until the input dies: when the input was canonical
// already, the views point into it.
struct CanonicalView {
  std::string_view text;
  std::string_view host;  // without port and credentials, IPv6 in brackets; empty for schemes without host
};

class Canonicalizer {
 public:
  explicit Canonicalizer(CanonicalOptions options = {});

  // The input must not be a view that this Canonicalizer returned: copy it first.
  Result<CanonicalView> canonicalize(std::string_view url);                   // absolute
  Result<CanonicalView> canonicalize(std::string_view url, const Url& base);  // resolved first

 private:
  ParamRules rules_;
  std::string buffer_;
};

}  // namespace aduana
