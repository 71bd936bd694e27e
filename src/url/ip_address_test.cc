#include "url/ip_address.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

std::string v4(std::string_view text) {
  std::string out;
  const auto address = parse_ipv4(text);
  if (address) append_ipv4(out, *address);
  return address ? out : "invalid";
}

std::string v6(std::string_view text) {
  std::string out;
  const auto address = parse_ipv6(text);
  if (address) append_ipv6(out, *address);
  return address ? out : "invalid";
}

TEST(IpAddress, a_number_at_the_end_of_a_domain_is_noticed) {
  for (const char* domain : {"1", "1.2.3.4", "a.1", "a.0x", "a.0xFf", "a.1.", "09"})
    EXPECT_TRUE(ends_in_number(domain)) << domain;
  for (const char* domain : {"", ".", "a", "1.a", "a.1..", "a.1x", "a.0xg", "1-2"})
    EXPECT_FALSE(ends_in_number(domain)) << domain;
}

TEST(IpAddress, ipv4_in_all_its_forms) {
  EXPECT_EQ(v4("192.168.0.1"), "192.168.0.1");
  EXPECT_EQ(v4("192.168.0.1."), "192.168.0.1");
  EXPECT_EQ(v4("0xC0.0250.1"), "192.168.0.1");
  EXPECT_EQ(v4("4294967295"), "255.255.255.255");
  EXPECT_EQ(v4("0x"), "0.0.0.0");
  EXPECT_EQ(v4("1.16777215"), "1.255.255.255");
}

TEST(IpAddress, ipv4_out_of_range) {
  for (const char* text : {"4294967296", "1.16777216", "256.1", "1.2.3.256", "1.2.3.4.5", "08", "1..2", "",
                           "99999999999999999999999", "0xg"}) {
    EXPECT_EQ(v4(text), "invalid") << text;
  }
}

TEST(IpAddress, ipv6_is_compressed_at_its_first_longest_run) {
  EXPECT_EQ(v6("::"), "::");
  EXPECT_EQ(v6("::1"), "::1");
  EXPECT_EQ(v6("1::"), "1::");
  EXPECT_EQ(v6("1:0:0:2:0:0:0:3"), "1:0:0:2::3");
  EXPECT_EQ(v6("1:0:0:2:3:0:0:4"), "1::2:3:0:0:4");
  EXPECT_EQ(v6("1:0:2:3:4:5:6:7"), "1:0:2:3:4:5:6:7");
  EXPECT_EQ(v6("2001:DB8::00ff"), "2001:db8::ff");
  EXPECT_EQ(v6("1:2:3:4:5:6:7::"), "1:2:3:4:5:6:7:0");
  EXPECT_EQ(v6("::ffff:192.168.0.1"), "::ffff:c0a8:1");
}

TEST(IpAddress, ipv6_that_is_not) {
  for (const char* text :
       {"", ":", ":1", "1:", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1.2.3",
        "::1.2.3.4.5", "::1.2.3.256", "::1.2.3.04", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3.4:1", "::.1.2.3"}) {
    EXPECT_EQ(v6(text), "invalid") << text;
  }
}

}  // namespace
}  // namespace aduana
