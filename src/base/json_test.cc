#include "base/json.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

using namespace std::literals;

std::string json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(Json, plain_text_is_quoted) {
  EXPECT_EQ(json(""), "\"\"");
  EXPECT_EQ(json("http://example.com/a?b=c"), "\"http://example.com/a?b=c\"");
}

TEST(Json, quotes_backslashes_and_control_bytes_are_escaped) {
  EXPECT_EQ(json("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(json("\n\r\t"), R"("\n\r\t")");
  EXPECT_EQ(json("\0\x1f\x7f"sv), R"("\u0000\u001f\u007f")");
  EXPECT_EQ(json("\xC2\x9B 31m \xC2\x80"), R"("\u009b 31m \u0080")") << "C1: some terminals obey them";
}

TEST(Json, utf8_is_kept) { EXPECT_EQ(json("é 中 😀"), "\"é 中 😀\""); }

TEST(Json, damaged_utf8_becomes_replacement_characters) {
  EXPECT_EQ(json("a\xff"
                 "b"),
            "\"a\xEF\xBF\xBD"
            "b\"");
  EXPECT_EQ(json("\xC0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");  // overlong: no part of it is well-formed
  EXPECT_EQ(json("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");  // a surrogate
  EXPECT_EQ(json("\xF0\x9F\x98"), "\"\xEF\xBF\xBD\"");                          // cut short: one maximal part
  EXPECT_EQ(json("\xE2\x82"
                 "x"),
            "\"\xEF\xBF\xBDx\"");
}

std::string repaired(std::string json_text) {
  replace_lone_surrogates(json_text);
  return json_text;
}

TEST(Json, lone_surrogates_are_replaced_and_pairs_kept) {
  EXPECT_EQ(repaired(R"("\ud83d\ude00")"), R"("\ud83d\ude00")");
  EXPECT_EQ(repaired(R"("a\uD800b")"), R"("a\ufffdb")");
  EXPECT_EQ(repaired(R"("\udc00\ud800")"), R"("\ufffd\ufffd")");
  EXPECT_EQ(repaired(R"("\ud800\ud83d\ude00")"), R"("\ufffd\ud83d\ude00")");
  EXPECT_EQ(repaired(R"("\\ud800 \u00e9 \ud80")"), R"("\\ud800 \u00e9 \ud80")");
  EXPECT_EQ(repaired("\\"), "\\");
}

}  // namespace
}  // namespace aduana
