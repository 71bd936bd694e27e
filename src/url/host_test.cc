#include "url/host.h"

#include <gtest/gtest.h>

#include <string>

namespace aduana {
namespace {

TEST(Host, registrable_domain_is_one_label_more_than_the_public_suffix) {
  EXPECT_EQ(registrable_domain("www.example.com"), "example.com");
  EXPECT_EQ(registrable_domain("example.com"), "example.com");
  EXPECT_EQ(registrable_domain("a.b.example.co.uk"), "example.co.uk");
  EXPECT_EQ(registrable_domain("www.xn--bcher-kva.example"), "xn--bcher-kva.example");
  EXPECT_EQ(registrable_domain("www.example.com."), "example.com");
}

TEST(Host, a_host_without_registrable_domain_is_its_own) {
  EXPECT_EQ(registrable_domain("co.uk"), "co.uk");
  EXPECT_EQ(registrable_domain("com"), "com");
  EXPECT_EQ(registrable_domain("localhost"), "localhost");
  EXPECT_EQ(registrable_domain("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(registrable_domain("[::1]"), "[::1]");
  EXPECT_EQ(registrable_domain(""), "");
  EXPECT_EQ(registrable_domain("."), "");
}

TEST(Host, answers_do_not_depend_on_what_was_asked_before) {
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 5000; ++i) {
      const std::string domain = "d" + std::to_string(i) + (i % 2 ? ".com" : ".co.uk");
      const std::string host = std::string(i % 3, 'w') + (i % 3 ? "." : "") + domain;
      ASSERT_EQ(registrable_domain(host), domain);
    }
  }
  const std::string label(300, 'x');
  EXPECT_EQ(registrable_domain("a." + label + ".com").size(), label.size() + 4);
}

TEST(Host, addresses_are_told_from_names) {
  EXPECT_TRUE(is_ip_address("10.0.0.1"));
  EXPECT_TRUE(is_ip_address("[2001:db8::1]"));
  EXPECT_FALSE(is_ip_address("example.com"));
  EXPECT_FALSE(is_ip_address("10.example"));
  EXPECT_FALSE(is_ip_address(""));
}

}  // namespace
}  // namespace aduana
