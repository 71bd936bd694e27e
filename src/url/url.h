// Url: an absolute URL, parsed and serialised as browsers do (the WHATWG URL standard), for every scheme.
//
// Invariant: href() is the standard's serialisation and the offsets mark its parts, so that every part is a view into
// it and parsing href() again gives an equal Url. The views live as long as the Url and until it is assigned to.
// Thread safety: that of a value; const calls may run together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "aduana/result.h"

namespace aduana {

class Url {
 public:
  // Parses `input`, resolving it against `base` if there is one. The input may be any bytes: damaged UTF-8 counts as
  // U+FFFD. An error (Code::invalid, or Code::too_large over 256 MiB) names the input, shortened, and the reason.
  static Result<Url> parse(std::string_view input, const Url* base = nullptr);

  const std::string& href() const { return href_; }
  std::string_view protocol() const { return view(0, scheme_end_ + 1); }  // "http:"
  std::string_view scheme() const { return view(0, scheme_end_); }        // "http"
  std::string_view username() const { return view(username_, username_end_); }
  std::string_view password() const;
  std::string_view host() const { return view(host_, path_prefix()); }  // with the port, if not the default
  std::string_view hostname() const { return view(host_, host_end_); }  // without; brackets stay on IPv6
  std::string_view port() const;                                        // digits, empty for the default port
  std::string_view pathname() const { return view(path_, path_end()); }
  std::string_view search() const;  // "?a=b", or empty when there is no query or an empty one
  std::string_view hash() const;    // "#x", or empty likewise

  // "https://example.com:8443", or "null" for what has no origin of its own (file:, data:, mailto:, …).
  std::string origin() const;

  // http, https, ws, wss, ftp and file: schemes whose hosts are domains and whose paths have segments.
  bool is_special() const { return special_; }
  bool is_http() const { return special_ && href_.starts_with("http"); }  // or https
  bool has_opaque_path() const { return opaque_path_; }  // mailto:x and the like: not a base for relative references
  bool has_authority() const { return authority_; }      // there is a "//", though the host after it may be empty
  bool has_credentials() const { return username_end_ != host_; }
  bool has_query() const { return query_ != kNone; }
  bool has_fragment() const { return fragment_ != kNone; }

  // href() up to the path: scheme, credentials, host, port.
  std::string_view before_path() const { return view(0, path_prefix()); }
  // href() without the fragment.
  std::string_view without_fragment() const { return view(0, fragment_ == kNone ? size() : fragment_); }

  friend bool operator==(const Url& a, const Url& b) { return a.href_ == b.href_; }

 private:
  friend class UrlParser;

  static constexpr uint32_t kNone = UINT32_MAX;

  Url() = default;

  uint32_t size() const { return static_cast<uint32_t>(href_.size()); }
  uint32_t path_end() const { return query_ != kNone ? query_ : fragment_ != kNone ? fragment_ : size(); }
  // Where the authority ends: "/." stands between it and the path when a path without host begins with "//".
  uint32_t path_prefix() const { return guarded_path_ ? path_ - 2 : path_; }
  std::string_view view(uint32_t from, uint32_t to) const { return {href_.data() + from, to - from}; }

  // scheme ":" ["//" [username [":" password] "@"] host [":" port]] ["/."] path ["?" query] ["#" fragment]
  std::string href_;
  uint32_t scheme_end_ = 0;
  uint32_t username_ = 0;
  uint32_t username_end_ = 0;  // password or host begins here, so equal to host_ without credentials
  uint32_t host_ = 0;
  uint32_t host_end_ = 0;
  uint32_t path_ = 0;
  uint32_t query_ = kNone;     // at the "?"
  uint32_t fragment_ = kNone;  // at the "#"
  bool special_ = false;
  bool authority_ = false;
  bool opaque_path_ = false;
  bool guarded_path_ = false;
};

}  // namespace aduana
