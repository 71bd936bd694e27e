#include "url/keys.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

PageKey key(std::string_view url, uint64_t scope = 0) {
  Canonicalizer canonicalizer;
  return page_key(canonicalizer.canonicalize(url).value(), scope);
}

uint64_t hash(std::string_view url) {
  Canonicalizer canonicalizer;
  return url_hash(canonicalizer.canonicalize(url).value());
}

TEST(Keys, the_host_half_is_the_same_for_every_scheme_and_port) {
  const uint64_t plain = hash("http://example.com/a");
  const uint64_t secure = hash("https://example.com:8443/b");
  EXPECT_EQ(url_hash_domain(plain), url_hash_domain(secure));
  EXPECT_NE(url_hash_url(plain), url_hash_url(secure));
  EXPECT_NE(url_hash_domain(plain), url_hash_domain(hash("http://example.org/a")));
  EXPECT_EQ(key("http://example.com/a").hi >> 32, key("https://me@example.com:8443/b").hi >> 32);
  EXPECT_EQ(key("http://example.com/a").hi >> 32, url_hash_domain(plain));
}

TEST(Keys, scopes_tell_crawls_apart) {
  EXPECT_EQ(key("http://example.com/", 7), key("http://EXAMPLE.com", 7));
  EXPECT_NE(key("http://example.com/", 7), key("http://example.com/", 8));
}

// Stored keys depend on these values: a failure here is a change of format.
TEST(Keys, values_never_change) {
  EXPECT_EQ(hash("http://example.com/"), 0x8b66107eb97a010eu);
  EXPECT_EQ(to_hex(key("http://example.com/")), "8b66107e4266342605cd77c9b152d153");
  EXPECT_EQ(to_hex(key("http://example.com/", 1)), "5c96e50d84ac384705a01fbc3d613c18");
}

TEST(Keys, hexadecimal_digits_sort_as_the_keys) {
  EXPECT_EQ(to_hex(PageKey{0x0123456789abcdef, 0xf}), "0123456789abcdef000000000000000f");
  EXPECT_LT((PageKey{1, 9}), (PageKey{2, 0}));
  EXPECT_LT(to_hex(PageKey{1, 9}), to_hex(PageKey{2, 0}));
}

}  // namespace
}  // namespace aduana
