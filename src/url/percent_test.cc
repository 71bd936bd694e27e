#include "url/percent.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

std::string encoded(std::string_view text, uint16_t set) {
  std::string out;
  append_encoded(out, text, set);
  return out;
}

std::string normalized(std::string_view text) {
  std::string out;
  append_normalized(out, text);
  return out;
}

TEST(Percent, each_part_has_its_set) {
  EXPECT_EQ(encoded("a b'c", kEncodeQuery), "a%20b'c");
  EXPECT_EQ(encoded("a b'c", kEncodeSpecialQuery), "a%20b%27c");
  EXPECT_EQ(encoded("a/b{c}^", kEncodePath), "a/b%7Bc%7D%5E");
  EXPECT_EQ(encoded("a/b:c", kEncodeUserinfo), "a%2Fb%3Ac");
  EXPECT_EQ(encoded("a b\x7f", kEncodeC0), "a b%7F");
  EXPECT_EQ(encoded("`{", kEncodeFragment), "%60{");
  EXPECT_EQ(encoded("%zz%41", kEncodePath), "%zz%41");
}

TEST(Percent, decoding_leaves_what_is_no_escape) {
  std::string out;
  append_decoded(out, "%41%4%zz%%42%c3");
  EXPECT_EQ(out, "A%4%zz%B\xc3");
}

TEST(Percent, normalizing_decodes_only_unreserved_characters) {
  EXPECT_EQ(normalized("%41%7e%2d%2e%5f%30"), "A~-._0");
  EXPECT_EQ(normalized("%2f%3a%20%c3%a9"), "%2F%3A%20%C3%A9");
}

// Every text over the bytes that matter, up to eight of them.
TEST(Percent, normalizing_twice_is_normalizing_once) {
  constexpr std::string_view kBytes = "%34e";
  for (size_t length = 0; length <= 8; ++length) {
    std::string text(length, '%');
    for (size_t number = 0; number < size_t{1} << (2 * length); ++number) {
      for (size_t i = 0; i < length; ++i) text[i] = kBytes[number >> (2 * i) & 3];
      const std::string once = normalized(text);
      ASSERT_EQ(normalized(once), once) << text;
    }
  }
}

// Parameters are sorted and stripped after normalizing, so what stands before a separator must not matter behind it.
TEST(Percent, a_stray_percent_sign_does_not_reach_over_separators) {
  EXPECT_EQ(normalized("%&%41"), "%&A");
  EXPECT_EQ(normalized("%4&%41"), "%4&A");
  EXPECT_EQ(normalized("%/%41"), "%/A");
}

}  // namespace
}  // namespace aduana
