#include "aduana/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace aduana {
namespace {

Result<int> parse(const std::string& text) {
  if (text.empty()) return Error(Code::invalid, "a number is missing");
  return static_cast<int>(text.size());
}

Result<int> twice(const std::string& text) {
  ADUANA_ASSIGN(const int once, parse(text));
  return 2 * once;
}

Status check(const std::string& text) {
  ADUANA_TRY(parse(text));
  return {};
}

TEST(Result, HoldsAValueOrAnError) {
  const auto good = parse("abc");
  ASSERT_TRUE(good);
  EXPECT_TRUE(good.has_value());
  EXPECT_EQ(*good, 3);
  const auto bad = parse("");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), Code::invalid);
  EXPECT_EQ(bad.error().message(), "a number is missing");
}

TEST(Result, MacrosPassTheErrorOn) {
  EXPECT_EQ(*twice("abc"), 6);
  EXPECT_EQ(twice("").error().code(), Code::invalid);
  EXPECT_TRUE(check("abc"));
  EXPECT_EQ(check("").error().message(), "a number is missing");
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  EXPECT_EQ(**result, 7);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 7);
}

TEST(Result, ErrorTellsWhatWasBeingDone) {
  const Error error = Error(Code::corrupt, "MANIFEST: checksum").within("opening store x");
  EXPECT_EQ(error.code(), Code::corrupt);
  EXPECT_EQ(error.message(), "opening store x: MANIFEST: checksum");
}

TEST(Result, EveryCodeHasAName) {
  for (int code = 0; code <= static_cast<int>(Code::closed); ++code)
    EXPECT_STRNE(name_of(static_cast<Code>(code)), "unknown") << code;
}

}  // namespace
}  // namespace aduana
