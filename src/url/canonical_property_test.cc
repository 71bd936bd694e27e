// What must hold for every input: canonical text is its own canonical form, and the short cuts agree with the slow way.
#include <gtest/gtest.h>

#include <random>

#include "url/canonical.h"
#include "url/canonical_fast.h"
#include "url/canonical_slow.h"
#include "url/conformance_cases.h"

namespace aduana {
namespace {

std::vector<CanonicalOptions> all_options() {
  CanonicalOptions plain, sorted, stripped;
  sorted.sort_query = true;
  stripped.sort_query = true;
  stripped.strip_params = CanonicalOptions::session_params();
  stripped.strip_params.insert(stripped.strip_params.end(), {"a*", ";a", ";b*"});
  return {plain, sorted, stripped};
}

void check(std::string_view input, const Url* base, const CanonicalOptions& options) {
  const ParamRules rules(options.sort_query, options.strip_params);
  std::string slow_buffer, fast_buffer;
  const auto slow = canonicalize_slowly(input, base, rules, slow_buffer);
  const auto fast =
      base ? resolve_quickly(input, *base, rules, fast_buffer) : canonicalize_quickly(input, rules, fast_buffer);
  if (fast) {
    ASSERT_TRUE(slow) << "only the short cut takes " << input;
    ASSERT_EQ(fast->text, slow->text) << input;
    ASSERT_EQ(fast->host, slow->host) << input;
  }
  if (!slow) return;
  std::string again_buffer;
  const auto again = canonicalize_slowly(slow->text, nullptr, rules, again_buffer);
  ASSERT_TRUE(again) << input << " became " << slow->text << ": " << again.error().message();
  ASSERT_EQ(again->text, slow->text) << input;
  ASSERT_EQ(again->host, slow->host) << input;
}

const char* const kSeeds[] = {
    "http://example.com/",
    "https://www.example.com/path/to/page.html?query=1&b=2#fragment",
    "http://example.com:8080/a/../b/./c%7E%41%2f",
    "http://user:pass@example.com/;jsessionid=1/x;a=b",
    "HTTP://EXAMPLE.COM:80/%%34%31?%zz",
    "http://bücher.example/ä?ö#ü",
    "http://192.168.0.1/a.b/..c/.d",
    "http://[2001:db8::1]:443/x",
    "file:///C|/x/../y",
    "file://host/%43:/x",
    "x:/.//a/b?c",
    "mailto:someone@example.com ?x",
    "//example.org/x",
    "/a/b?c=d&e=f",
    "../../x.html",
    "page.html;jsessionid=9?utm_source=x",
    "?q=%e4%b8%ad",
    "#top",
    "sc://%41%7f/..//x",
};

const char* const kPieces[] = {"/",          "..",
                               ".",          "%2e",
                               "%2E",        "%",
                               "%4",         "%41",
                               "%7e",        "?",
                               "#",          "\\",
                               "//",         ":",
                               ":80",        "@",
                               ";a=1",       "&a=1",
                               "&",          "=",
                               "C|",         "%43",
                               "|",          " ",
                               "\t",         "é",
                               "\xff",       "xn--",
                               "1",          "0x",
                               "-",          "[",
                               "]",          "A",
                               "http:",      "https://",
                               "file:",      "localhost",
                               ".com",       "%25",
                               "%34",        "^",
                               "'",          "~",
                               "jsessionid", ";jsessionid=",
                               "?sid=1",     "%c3%a9",
                               "%C3%A9",     "\x7f",
                               "{",          ";"};

class Mutator {
 public:
  explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {}

  std::string next() {
    std::string text = pick(seeds_);
    for (size_t changes = random_() % 4; changes > 0; --changes) change(text);
    return text;
  }

 private:
  std::string pick(const std::vector<std::string>& list) { return list[random_() % list.size()]; }
  const char* pick_piece() { return kPieces[random_() % std::size(kPieces)]; }

  void change(std::string& text) {
    const size_t at = text.empty() ? 0 : random_() % text.size();
    switch (random_() % 4) {
      case 0:
        text.insert(at, pick_piece());
        return;
      case 1:
        text.erase(at, 1 + random_() % 3);
        return;
      case 2:
        text.replace(at, 1, pick_piece());
        return;
      default:
        const std::string other = pick(seeds_);
        text = text.substr(0, at) + other.substr(random_() % (other.size() + 1));
    }
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_{20150601};
};

std::vector<std::string> seeds() {
  std::vector<std::string> list(std::begin(kSeeds), std::end(kSeeds));
  for (const auto& test : read_conformance_cases()) list.push_back(test.input);
  return list;
}

TEST(CanonicalProperty, conformance_inputs_with_their_bases) {
  const auto cases = read_conformance_cases();
  if (cases.empty()) GTEST_SKIP() << "no conformance data: set ADUANA_SHARED to the folder that holds conformance/url";
  for (const auto& options : all_options()) {
    for (const auto& test : cases) {
      const auto base = Url::parse(test.base.value_or("http://example.com/a/b"));
      check(test.input, base ? &*base : nullptr, options);
      check(test.input, nullptr, options);
    }
  }
}

TEST(CanonicalProperty, random_mutations) {
  Mutator mutator(seeds());
  const auto options = all_options();
  auto base = Url::parse("http://example.com/a/b").value();
  for (int i = 0; i < 200000; ++i) {
    const std::string input = mutator.next();
    if (i % 16 == 0) {
      if (auto other = Url::parse(mutator.next())) base = *other;
    }
    check(input, nullptr, options[i % options.size()]);
    check(input, &base, options[i % options.size()]);
    if (HasFatalFailure()) return;
  }
}

TEST(CanonicalProperty, short_cuts_are_taken_where_they_should_be) {
  const ParamRules rules(false, {});
  std::string buffer;
  for (const char* url : {"http://example.com/", "http://example.com", "https://a-b.example.com:8080/x/y.z?a=b&c=%20#d",
                          "http://xn--bcher-kva.example/.a/..b/", "http://example.com/%E4%B8%AD"}) {
    EXPECT_TRUE(canonicalize_quickly(url, rules, buffer)) << url;
  }
  const auto base = Url::parse("http://10.0.0.1:8080/a/b?c#d").value();
  for (const char* url : {"x", "x.html", "./x", "../x", "../../../x", "/x?y#z", "?y", "#z", "", "//example.com/x"}) {
    EXPECT_TRUE(resolve_quickly(url, base, rules, buffer)) << url;
  }
}

}  // namespace
}  // namespace aduana
