#include "serve/access/scrypt.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/must.h"

namespace aduana {
namespace {

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return out;
}

// RFC 7914, section 12; the first half of each, since we ask for 32 bytes.
TEST(Scrypt, GivesTheHashesOfTheStandard) {
  EXPECT_EQ(hex(must(scrypt("", "", {4, 1, 1}))), "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442");
  EXPECT_EQ(hex(must(scrypt("password", "NaCl", {10, 8, 16}))),
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162");
  EXPECT_EQ(hex(must(scrypt("pleaseletmein", "SodiumChloride", {14, 8, 1}))),
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2");
}

TEST(Scrypt, TheDefaultCostCanBePaid) { EXPECT_EQ(must(scrypt("password", "salt", {})).size(), kScryptHashSize); }

TEST(Scrypt, ImpossibleAndRuinousCostsAreRefused) {
  const ScryptCost costs[] = {{0, 8, 1},   {15, 0, 1},  {15, 8, 0},
                              {25, 1, 1},  {64, 8, 1},  {20, 8, 1},
                              {15, 65, 1}, {15, 8, 65}, {15, 0xFFFFFFFF, 0xFFFFFFFF}};
  for (const ScryptCost& cost : costs) {
    const auto hash = scrypt("password", "salt", cost);
    ASSERT_FALSE(hash) << cost.log2_n << ' ' << cost.r << ' ' << cost.p;
    EXPECT_EQ(hash.error().code(), Code::invalid);
  }
}

}  // namespace
}  // namespace aduana
