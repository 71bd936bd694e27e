#include "url/canonical.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

std::string canonical(std::string_view url, CanonicalOptions options = {}) {
  Canonicalizer canonicalizer(std::move(options));
  const auto view = canonicalizer.canonicalize(url);
  return view ? std::string(view->text) : view.error().message();
}

std::string resolved(std::string_view reference, std::string_view base) {
  Canonicalizer canonicalizer;
  const auto view = canonicalizer.canonicalize(reference, Url::parse(base).value());
  return view ? std::string(view->text) : view.error().message();
}

std::string host(std::string_view url) {
  Canonicalizer canonicalizer;
  return std::string(canonicalizer.canonicalize(url).value().host);
}

TEST(Canonical, fragment_and_empty_query_are_dropped) {
  EXPECT_EQ(canonical("http://example.com/a#b"), "http://example.com/a");
  EXPECT_EQ(canonical("http://example.com/a?"), "http://example.com/a");
  EXPECT_EQ(canonical("http://example.com/a?#b?c"), "http://example.com/a");
  EXPECT_EQ(canonical("http://example.com/a?b#c"), "http://example.com/a?b");
  EXPECT_EQ(canonical("http://EXAMPLE.com/a?#"), "http://example.com/a");
}

TEST(Canonical, scheme_and_host_are_lower_case_and_the_default_port_is_dropped) {
  EXPECT_EQ(canonical("HTTP://WWW.Example.COM:80/A"), "http://www.example.com/A");
  EXPECT_EQ(canonical("https://example.com:443"), "https://example.com/");
  EXPECT_EQ(canonical("https://example.com:80/"), "https://example.com:80/");
  EXPECT_EQ(canonical("https://example.com:0080/"), "https://example.com:80/");
  EXPECT_EQ(canonical("http://example.com:/"), "http://example.com/");
  EXPECT_EQ(canonical("http://example.com:0/"), "http://example.com:0/");
}

TEST(Canonical, a_missing_path_is_a_slash) {
  EXPECT_EQ(canonical("http://example.com"), "http://example.com/");
  EXPECT_EQ(canonical("http://example.com?q=1"), "http://example.com/?q=1");
  EXPECT_EQ(canonical("http://example.com#top"), "http://example.com/");
  EXPECT_EQ(canonical("http://example.com:8080?"), "http://example.com:8080/");
}

TEST(Canonical, escapes_are_upper_case_and_unreserved_characters_decoded) {
  EXPECT_EQ(canonical("http://example.com/%7euser/%41%2d%5f%2Fx%c3%a9"), "http://example.com/~user/A-_%2Fx%C3%A9");
  EXPECT_EQ(canonical("http://example.com/?a=%7E&b=%26&c=%3d"), "http://example.com/?a=~&b=%26&c=%3D");
  EXPECT_EQ(canonical("http://example.com/é{}"), "http://example.com/%C3%A9%7B%7D");
  EXPECT_EQ(canonical("http://us%65r:p%3a@example.com/"), "http://user:p%3A@example.com/");
}

TEST(Canonical, decoding_never_completes_a_stray_percent_sign) {
  EXPECT_EQ(canonical("http://example.com/%%34%31"), "http://example.com/%%341");
  EXPECT_EQ(canonical("http://example.com/%4%31"), "http://example.com/%4%31");
  EXPECT_EQ(canonical("http://example.com/%%7E41"), "http://example.com/%~41");
  EXPECT_EQ(canonical("http://example.com/%zz%41"), "http://example.com/%zzA");
}

TEST(Canonical, dot_segments_are_removed_also_when_escaped) {
  EXPECT_EQ(canonical("http://example.com/a/./b/../c"), "http://example.com/a/c");
  EXPECT_EQ(canonical("http://example.com/a/%2e%2E/b/%2e"), "http://example.com/b/");
  EXPECT_EQ(canonical("http://example.com/a/..."), "http://example.com/a/...");
  EXPECT_EQ(canonical("http://example.com/.well-known/x"), "http://example.com/.well-known/x");
  EXPECT_EQ(canonical("http://example.com/a/.."), "http://example.com/");
  EXPECT_EQ(canonical("http://example.com/a/..?x"), "http://example.com/?x");
  EXPECT_EQ(canonical("http://example.com/?a/../b"), "http://example.com/?a/../b");
}

TEST(Canonical, addresses_and_international_names) {
  EXPECT_EQ(canonical("http://0x7f.1/"), "http://127.0.0.1/");
  EXPECT_EQ(canonical("http://[2001:DB8::0:1]:8080/"), "http://[2001:db8::1]:8080/");
  EXPECT_EQ(canonical("http://BÜCHER.example/"), "http://xn--bcher-kva.example/");
  EXPECT_EQ(canonical("http://example.5/"),
            "URL \"http://example.5/\": the host ends in a number but is not an IPv4 address");
}

TEST(Canonical, host_is_without_port_and_credentials) {
  EXPECT_EQ(host("http://example.com:8080/x"), "example.com");
  EXPECT_EQ(host("http://me:secret@Example.com/x"), "example.com");
  EXPECT_EQ(host("http://[::1]:80/x"), "[::1]");
  EXPECT_EQ(host("http://example.com?q"), "example.com");
  EXPECT_EQ(host("mailto:me@example.com"), "");
  EXPECT_EQ(host("file:///x"), "");
}

TEST(Canonical, other_schemes_are_kept) {
  EXPECT_EQ(canonical("MAILTO:Me@example.com?subject=%7e#x"), "mailto:Me@example.com?subject=~");
  EXPECT_EQ(canonical("x:/..//host/"), "x:/.//host/");
  EXPECT_EQ(canonical("x:text #y"), "x:text%20");
}

TEST(Canonical, a_decoded_drive_letter_is_read_as_one) {
  EXPECT_EQ(canonical("file:///%43|/x"), "file:///C:/x");
  EXPECT_EQ(canonical("file:///%43:/x"), "file:///C:/x");
}

TEST(Canonical, references_are_resolved) {
  const std::string base = "http://example.com:8080/a/b/c.html?q=1#f";
  EXPECT_EQ(resolved("d.html", base), "http://example.com:8080/a/b/d.html");
  EXPECT_EQ(resolved("./d", base), "http://example.com:8080/a/b/d");
  EXPECT_EQ(resolved("../d", base), "http://example.com:8080/a/d");
  EXPECT_EQ(resolved("../../../d/", base), "http://example.com:8080/d/");
  EXPECT_EQ(resolved("..", base), "http://example.com:8080/a/");
  EXPECT_EQ(resolved("/d?x#y", base), "http://example.com:8080/d?x");
  EXPECT_EQ(resolved("?x", base), "http://example.com:8080/a/b/c.html?x");
  EXPECT_EQ(resolved("#x", base), "http://example.com:8080/a/b/c.html?q=1");
  EXPECT_EQ(resolved("", base), "http://example.com:8080/a/b/c.html?q=1");
  EXPECT_EQ(resolved("//other.org/x", base), "http://other.org/x");
  EXPECT_EQ(resolved("//other.org", base), "http://other.org/");
  EXPECT_EQ(resolved("///other.org", base), "http://other.org/");
  EXPECT_EQ(resolved("\\x\\y", base), "http://example.com:8080/x/y");
  EXPECT_EQ(resolved("https://other.org", base), "https://other.org/");
  EXPECT_EQ(resolved("http:x", base), "http://example.com:8080/a/b/x");
  EXPECT_EQ(resolved("x:y", base), "x:y");
  EXPECT_EQ(resolved(" \n d \t", base), "http://example.com:8080/a/b/d");
  EXPECT_EQ(resolved("d", "http://me@example.com/a/"), "http://me@example.com/a/d");
  EXPECT_EQ(resolved("d", "http://10.0.0.1/%7ea/"), "http://10.0.0.1/~a/d");
}

TEST(Canonical, query_parameters_are_stripped_and_sorted_on_request) {
  CanonicalOptions options;
  options.strip_params = {"utm_*", "sid"};
  EXPECT_EQ(canonical("http://e.com/?utm_source=x&b=1&sid=3&a=2&SID=4", options), "http://e.com/?b=1&a=2&SID=4");
  EXPECT_EQ(canonical("http://e.com/?utm_source=x&%73id=3", options), "http://e.com/");
  EXPECT_EQ(canonical("http://e.com/?residue=1&utm", options), "http://e.com/?residue=1&utm");
  options.sort_query = true;
  EXPECT_EQ(canonical("http://e.com/?b=2&sid&b=1&a&&a=0", options), "http://e.com/?&a&a=0&b=2&b=1");
}

TEST(Canonical, session_parameters_leave_the_path) {
  CanonicalOptions options;
  options.strip_params = CanonicalOptions::session_params();
  EXPECT_EQ(canonical("http://e.com/a;jsessionid=1.node/b;v=2;jsessionid=3?sid=1", options), "http://e.com/a/b;v=2");
  EXPECT_EQ(canonical("http://e.com/a/b/..;jsessionid=1/c", options), "http://e.com/a/c");
  EXPECT_EQ(canonical("http://e.com/;jsessionid=1", options), "http://e.com/");
  EXPECT_EQ(canonical("x:/;jsessionid=1/y", options), "x:/;jsessionid=1/y");
}

TEST(Canonical, text_over_the_limit_is_refused_with_both_lengths) {
  const std::string stem = "http://example.com/";
  const std::string fits = stem + std::string(kMaxUrlBytes - stem.size(), 'x');
  EXPECT_EQ(canonical(fits), fits);
  EXPECT_EQ(canonical(fits + "#" + fits), fits);
  Canonicalizer canonicalizer;
  const auto refused = canonicalizer.canonicalize(fits + "x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::too_large);
  EXPECT_NE(refused.error().message().find("65537 bytes"), std::string::npos);
  EXPECT_NE(refused.error().message().find("65536"), std::string::npos);
}

TEST(Canonical, views_point_into_an_input_that_is_canonical) {
  const std::string url = "https://example.com/a/b.html?c=d#e";
  Canonicalizer canonicalizer;
  const auto view = canonicalizer.canonicalize(url).value();
  EXPECT_EQ(view.text.data(), url.data());
  EXPECT_EQ(view.host.data(), url.data() + 8);
}

}  // namespace
}  // namespace aduana
