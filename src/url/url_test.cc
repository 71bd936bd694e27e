#include "url/url.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace aduana {
namespace {

std::string href(std::string_view input) {
  const auto url = Url::parse(input);
  return url ? url->href() : url.error().message();
}

TEST(Url, parts_are_views_into_the_text) {
  const Url url = Url::parse("HTTPS://me:secret@Example.com:8443/a/b?c=d#e").value();
  EXPECT_EQ(url.href(), "https://me:secret@example.com:8443/a/b?c=d#e");
  EXPECT_EQ(url.protocol(), "https:");
  EXPECT_EQ(url.scheme(), "https");
  EXPECT_EQ(url.username(), "me");
  EXPECT_EQ(url.password(), "secret");
  EXPECT_EQ(url.host(), "example.com:8443");
  EXPECT_EQ(url.hostname(), "example.com");
  EXPECT_EQ(url.port(), "8443");
  EXPECT_EQ(url.pathname(), "/a/b");
  EXPECT_EQ(url.search(), "?c=d");
  EXPECT_EQ(url.hash(), "#e");
  EXPECT_EQ(url.origin(), "https://example.com:8443");
  EXPECT_EQ(url.before_path(), "https://me:secret@example.com:8443");
  EXPECT_EQ(url.without_fragment(), "https://me:secret@example.com:8443/a/b?c=d");
  EXPECT_TRUE(url.is_special());
  EXPECT_TRUE(url.has_credentials());
  EXPECT_FALSE(url.has_opaque_path());
}

TEST(Url, absent_and_empty_parts_are_told_apart) {
  const Url url = Url::parse("http://@example.com?#").value();
  EXPECT_EQ(url.href(), "http://example.com/?#");
  EXPECT_TRUE(url.has_query());
  EXPECT_TRUE(url.has_fragment());
  EXPECT_FALSE(url.has_credentials());
  EXPECT_EQ(url.search(), "");
  EXPECT_EQ(url.hash(), "");
  EXPECT_EQ(Url::parse("http://:x@example.com/").value().password(), "x");
  EXPECT_EQ(Url::parse("mailto:x").value().host(), "");
  EXPECT_FALSE(Url::parse("mailto:x").value().has_authority());
  EXPECT_TRUE(Url::parse("file:///x").value().has_authority());
}

TEST(Url, only_http_and_https_are_http) {
  EXPECT_TRUE(Url::parse("http://a").value().is_http());
  EXPECT_TRUE(Url::parse("https://a").value().is_http());
  EXPECT_FALSE(Url::parse("httpx://a").value().is_http());
  EXPECT_FALSE(Url::parse("ftp://a").value().is_http());
}

TEST(Url, damaged_utf8_counts_as_replacement_characters) {
  EXPECT_EQ(href("http://a/\xff?\xc3#\xe2\x82"), "http://a/%EF%BF%BD?%EF%BF%BD#%EF%BF%BD");
  EXPECT_FALSE(Url::parse("http://\xff/"));
}

TEST(Url, invalid_punycode_is_refused_only_beside_unicode) {
  EXPECT_EQ(href("http://xn--pokxncvks.com/"), "http://xn--pokxncvks.com/");
  EXPECT_FALSE(Url::parse("http://xn--pokxncvks.ü/"));
}

TEST(Url, the_capital_sharp_s_is_a_sharp_s) {
  EXPECT_EQ(href("http://fa\u1E9E.example/"), "http://xn--fa-hia.example/");
}

TEST(Url, long_international_hosts_are_kept) {
  std::string label(300, 'a');
  EXPECT_EQ(href("http://" + label + ".ü/"), "http://" + label + ".xn--tda/");
}

TEST(Url, errors_name_the_input_and_the_reason) {
  EXPECT_EQ(href("http://a:99999/"), "URL \"http://a:99999/\": the port is over 65535");
  EXPECT_EQ(href("http://[::1/"), "URL \"http://[::1/\": the IPv6 address has no closing bracket");
  EXPECT_EQ(href("/x"), "URL \"/x\": it is relative, and there is no base to resolve it against");
  EXPECT_EQ(href("http://\x01/"), "URL \"http://\\u0001/\": the host holds a forbidden character");
}

TEST(Url, errors_shorten_the_input_between_characters) {
  std::string input = "http://a b/";
  for (int i = 0; i < 200; ++i) input += "é";
  const std::string message = href(input);
  EXPECT_LT(message.size(), 200u);
  EXPECT_NE(message.find("é…\": the host"), std::string::npos) << message;
}

TEST(Url, inputs_beyond_the_limit_are_refused) {
  // calloc gives pages that cost nothing until they are touched, and they must not be.
  const size_t size = (size_t{1} << 28) + 1;
  const std::unique_ptr<char, decltype(&std::free)> input(static_cast<char*>(std::calloc(size, 1)), &std::free);
  const auto url = Url::parse({input.get(), size});
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().code(), Code::too_large);
}

}  // namespace
}  // namespace aduana
