#include "url/canonical_slow.h"

#include "url/percent.h"
#include "url/url_error.h"

namespace aduana {
namespace {

void append_authority(std::string& out, const Url& url) {
  if (!url.has_authority()) return;
  out += "//";
  if (url.has_credentials()) {
    append_normalized(out, url.username());
    if (!url.password().empty()) {
      out += ':';
      append_normalized(out, url.password());
    }
    out += '@';
  }
}

void append_query(std::string& out, std::string_view query, const ParamRules& rules) {
  if (query.empty()) return;
  const size_t start = out.size();
  if (rules.touch_query()) {
    std::string normalized;
    append_normalized(normalized, query.substr(1));
    out += '?';
    rules.append_query(out, normalized);
  } else {
    append_normalized(out, query);
  }
  if (out.size() == start + 1) out.resize(start);
}

// Whether the text that was written could be read as something else, so that it must be parsed again: a segment that
// lost a parameter may have become ".", and "file:///%43|/" a drive letter.
bool append_path(std::string& out, const Url& url, const ParamRules& rules) {
  const size_t start = out.size();
  append_normalized(out, url.pathname());
  if (url.scheme() == "file") return out.compare(start, std::string::npos, url.pathname()) != 0;
  if (!url.is_http() || !rules.change_path(std::string_view(out).substr(start))) return false;
  const std::string whole = out.substr(start);
  out.resize(start);
  rules.append_path(out, whole);
  return true;
}

}  // namespace

Result<CanonicalView> canonicalize_slowly(std::string_view input, const Url* base, const ParamRules& rules,
                                          std::string& out) {
  ADUANA_ASSIGN(Url url, Url::parse(input, base));
  for (;;) {
    out.clear();
    out += url.protocol();
    append_authority(out, url);
    const size_t host = out.size();
    append_normalized(out, url.hostname());
    const size_t host_end = out.size();
    if (!url.port().empty()) {
      out += ':';
      out += url.port();
    }
    if (!url.has_authority() && !url.has_opaque_path() && url.pathname().starts_with("//")) out += "/.";
    const bool again = append_path(out, url, rules);
    append_query(out, url.search(), rules);
    if (!again) {
      if (out.size() > kMaxUrlBytes) {
        return url_error(
            Code::too_large, out,
            std::to_string(out.size()) + " bytes in canonical form, over the limit of " + std::to_string(kMaxUrlBytes));
      }
      const std::string_view text = out;
      return CanonicalView{text, text.substr(host, host_end - host)};
    }
    // Each round makes the text shorter, or leaves it as it is and ends.
    ADUANA_ASSIGN(url, Url::parse(out));
  }
}

}  // namespace aduana
