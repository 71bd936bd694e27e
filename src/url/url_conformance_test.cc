// Every case of the URL standard's own test data: parse, fail and serialise as it says.
#include <gtest/gtest.h>

#include <cstdio>

#include "url/conformance_cases.h"
#include "url/url.h"

namespace aduana {
namespace {

std::map<std::string, std::string> parts_of(const Url& url) {
  return {{"href", url.href()},
          {"origin", url.origin()},
          {"protocol", std::string(url.protocol())},
          {"username", std::string(url.username())},
          {"password", std::string(url.password())},
          {"host", std::string(url.host())},
          {"hostname", std::string(url.hostname())},
          {"port", std::string(url.port())},
          {"pathname", std::string(url.pathname())},
          {"search", std::string(url.search())},
          {"hash", std::string(url.hash())}};
}

Result<Url> parse(const ConformanceCase& test) {
  if (!test.base) return Url::parse(test.input);
  ADUANA_ASSIGN(const Url base, Url::parse(*test.base));
  return Url::parse(test.input, &base);
}

std::string difference(const ConformanceCase& test) {
  const auto url = parse(test);
  if (test.failure) return url ? "parsed as " + url->href() : "";
  if (!url) return url.error().message();
  std::string wrong;
  const auto parts = parts_of(*url);
  for (const auto& [name, value] : test.expected) {
    if (parts.at(name) != value) wrong += name + " is " + parts.at(name) + " instead of " + value + "; ";
  }
  return wrong;
}

TEST(UrlConformance, every_case_of_the_standard) {
  const auto cases = read_conformance_cases();
  if (cases.empty()) GTEST_SKIP() << "no conformance data: set ADUANA_SHARED to the folder that holds conformance/url";
  size_t passed = 0;
  for (const auto& test : cases) {
    const std::string wrong = difference(test);
    EXPECT_EQ(wrong, "") << "input " << test.input << ", base " << test.base.value_or("(none)");
    passed += wrong.empty();
  }
  std::printf("URL standard: %zu of %zu cases\n", passed, cases.size());
}

TEST(UrlConformance, serialised_urls_parse_to_themselves) {
  for (const auto& test : read_conformance_cases()) {
    const auto url = parse(test);
    if (!url) continue;
    const auto again = Url::parse(url->href());
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(parts_of(*again), parts_of(*url));
  }
}

}  // namespace
}  // namespace aduana
