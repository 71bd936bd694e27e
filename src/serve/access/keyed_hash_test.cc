#include "serve/access/keyed_hash.h"

#include <gtest/gtest.h>

#include <set>

namespace aduana {
namespace {

TEST(KeyedHash, TellsTextsApartAndIsTheSameEachTime) {
  const KeyedHash hash;
  std::set<std::string> hashes;
  for (const std::string text : {"", "a", "b", "ab", "a\n"}) {
    EXPECT_EQ(hash(text), hash(text));
    EXPECT_EQ(hash(text).size(), 32u);
    EXPECT_TRUE(hashes.insert(hash(text)).second) << text;
  }
}

TEST(KeyedHash, EachHasAKeyOfItsOwn) { EXPECT_NE(KeyedHash()("a"), KeyedHash()("a")); }

}  // namespace
}  // namespace aduana
