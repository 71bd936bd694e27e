#include "serve/http/query.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

constexpr std::string_view kKnown[] = {"a", "b", "url"};

TEST(Query, IsDecoded) {
  const auto query = Query::parse("a=1&&b=x+y%20%C3%A9&url=http://e.com/?c=d%26e", kKnown);
  ASSERT_TRUE(query);
  EXPECT_EQ(*query->text("a"), "1");
  EXPECT_EQ(*query->text("b"), "x y é");
  EXPECT_EQ(*query->text("url"), "http://e.com/?c=d&e");
  EXPECT_EQ(*Query::parse("a", kKnown)->text("a"), "");
  EXPECT_EQ(Query::parse("", kKnown)->text("a"), nullptr);
}

TEST(Query, WhatIsWrongIsNamed) {
  EXPECT_NE(Query::parse("c=1", kKnown).error().message().find("\"c\""), std::string::npos);
  EXPECT_NE(Query::parse("a=1&a=1", kKnown).error().message().find("twice"), std::string::npos);
  for (const char* bad : {"a=%", "a=%1", "a=%1g", "%=1", "a=%e2%8"}) EXPECT_FALSE(Query::parse(bad, kKnown)) << bad;
  // Control bytes of a client are not told back as they are.
  EXPECT_EQ(Query::parse("%1b%5b31m=1", kKnown).error().message().find('\x1b'), std::string::npos);
}

TEST(Query, NumbersAreWithinTheirBounds) {
  const auto query = Query::parse("a=7&b=0.5", kKnown);
  EXPECT_EQ(*query->number("a", 1, 0, 10), 7u);
  EXPECT_EQ(*query->number("url", 3, 0, 10), 3u);
  EXPECT_FALSE(query->number("a", 1, 0, 6));
  EXPECT_FALSE(query->number("a", 1, 8, 10));
  EXPECT_FALSE(query->number("b", 1, 0, 10));
  EXPECT_EQ(**query->seconds("b", 1), 0.5);
  EXPECT_FALSE(query->seconds("b", 0.4));
  EXPECT_FALSE(*query->seconds("url", 1));
}

}  // namespace
}  // namespace aduana
