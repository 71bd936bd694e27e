#include "serve/access/base64.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

TEST(Base64, KnowsTheExamplesOfTheStandard) {
  const std::pair<std::string, std::string> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"},
                                                       {"\xFF\xFE\xFD", "//79"}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(base64_encoded(bytes), text);
    EXPECT_EQ(base64_decoded(text), bytes);
  }
}

TEST(Base64, EveryByteSurvives) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(i);
    EXPECT_EQ(base64_decoded(base64_encoded(bytes)), bytes);
  }
}

TEST(Base64, IsReadStrictly) {
  for (const std::string text : {"Z", "Zg", "Zg=", "Zm8", "Zh==", "Zm9=", "Z===", "====", "=Zg=", "Zg==Zg==", "Zm9v\n",
                                 "Zm 9v", " Zm9", "Zm9-", "Zm9_", "Zm9\xC3"}) {
    EXPECT_EQ(base64_decoded(text), std::nullopt) << text;
  }
  EXPECT_EQ(base64_decoded(std::string("Zm9\0", 4)), std::nullopt);
}

}  // namespace
}  // namespace aduana
