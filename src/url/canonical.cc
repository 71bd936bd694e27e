#include "url/canonical.h"

#include "url/canonical_fast.h"
#include "url/canonical_slow.h"

namespace aduana {

const std::vector<std::string>& CanonicalOptions::tracking_params() {
  static const std::vector<std::string> names = {
      "utm_*",     "gclid",    "gclsrc",  "gbraid",    "wbraid",      "dclid",      "fbclid",   "msclkid", "yclid",
      "twclid",    "ttclid",   "igshid",  "li_fat_id", "mc_cid",      "mc_eid",     "_hsenc",   "_hsmi",   "__hssc",
      "__hstc",    "__hsfp",   "hsa_*",   "pk_*",      "piwik_*",     "mtm_*",      "matomo_*", "_ga",     "_gl",
      "_openstat", "wickedid", "vero_id", "vero_conv", "oly_anon_id", "oly_enc_id", "mkt_tok",  "srsltid", "ysclid",
  };
  return names;
}

const std::vector<std::string>& CanonicalOptions::session_params() {
  static const std::vector<std::string> names = {
      ";jsessionid", ";JSESSIONID", ";phpsessid",    ";PHPSESSID",    "jsessionid", "JSESSIONID", "phpsessid",
      "PHPSESSID",   "sid",         "SID",           "sessid",        "SESSID",     "sessionid",  "sessionId",
      "SessionID",   "session_id",  "ASPSESSIONID*", "aspsessionid*", "CFID",       "cfid",       "CFTOKEN",
      "cftoken",     "zenid",       "osCsid",        "oscsid",        "XTCsid",
  };
  return names;
}

Canonicalizer::Canonicalizer(CanonicalOptions options) : rules_(options.sort_query, options.strip_params) {}

Result<CanonicalView> Canonicalizer::canonicalize(std::string_view url) {
  if (const auto view = canonicalize_quickly(url, rules_, buffer_)) return *view;
  return canonicalize_slowly(url, nullptr, rules_, buffer_);
}

Result<CanonicalView> Canonicalizer::canonicalize(std::string_view url, const Url& base) {
  if (const auto view = resolve_quickly(url, base, rules_, buffer_)) return *view;
  return canonicalize_slowly(url, &base, rules_, buffer_);
}

}  // namespace aduana
