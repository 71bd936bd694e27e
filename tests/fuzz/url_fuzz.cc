// libFuzzer: any bytes as a URL, alone and against a base. What is parsed must parse to itself, canonical text must be
// its own canonical form, and the short cuts must agree with the slow way.
//
// The first byte chooses the options; the rest, up to a line feed, is the base, and what follows the reference.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "url/canonical.h"
#include "url/canonical_fast.h"
#include "url/canonical_slow.h"
#include "url/host.h"
#include "url/keys.h"

namespace aduana {
namespace {

void require(bool holds, const char* what, std::string_view a, std::string_view b = {}) {
  if (holds) return;
  std::fprintf(stderr, "%s\n  %.*s\n  %.*s\n", what, static_cast<int>(a.size()), a.data(), static_cast<int>(b.size()),
               b.data());
  std::abort();
}

void check_parse(const Url& url) {
  const auto again = Url::parse(url.href());
  require(again.has_value(), "a serialised URL does not parse", url.href());
  require(again->href() == url.href(), "a serialised URL parses to another", url.href(), again->href());
  require(again->host() == url.host() && again->pathname() == url.pathname() && again->search() == url.search(),
          "the parts of a serialised URL differ", url.href());
}

void check_canonical(std::string_view input, const Url* base, const ParamRules& rules) {
  std::string slow_buffer, fast_buffer, again_buffer;
  const auto slow = canonicalize_slowly(input, base, rules, slow_buffer);
  const auto fast =
      base ? resolve_quickly(input, *base, rules, fast_buffer) : canonicalize_quickly(input, rules, fast_buffer);
  if (fast) {
    require(slow.has_value(), "only the short cut takes it", input);
    require(fast->text == slow->text && fast->host == slow->host, "the short cut differs", fast->text, slow->text);
  }
  if (!slow) return;
  const auto again = canonicalize_slowly(slow->text, nullptr, rules, again_buffer);
  require(again.has_value(), "canonical text does not parse", slow->text);
  require(again->text == slow->text && again->host == slow->host, "canonical text changes", slow->text, again->text);
  require(slow->host.ends_with(registrable_domain(slow->host)) || slow->host.ends_with('.'), "a foreign domain",
          slow->host);
  require(to_hex(page_key(*slow)).size() == 32, "a short key", slow->text);
}

const ParamRules& rules_for(uint8_t choice) {
  static const ParamRules rules[] = {ParamRules(false, {}), ParamRules(true, {}),
                                     ParamRules(false, CanonicalOptions::session_params()),
                                     ParamRules(true, {"a*", "b", ";a*", ";b"})};
  return rules[choice % std::size(rules)];
}

}  // namespace
}  // namespace aduana

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace aduana;
  if (size == 0) return 0;
  const ParamRules& rules = rules_for(data[0]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t line = text.find('\n');
  const auto base = Url::parse(text.substr(0, line));
  check_canonical(text.substr(0, line), nullptr, rules);
  if (!base) return 0;
  check_parse(*base);
  if (line == std::string_view::npos) return 0;
  const std::string_view reference = text.substr(line + 1);
  if (const auto url = Url::parse(reference, &*base)) check_parse(*url);
  check_canonical(reference, &*base, rules);
  return 0;
}
