#include "serve/access/basic_credentials.h"

#include <gtest/gtest.h>

#include "serve/access/base64.h"

namespace aduana {
namespace {

void expect(const std::string& header, const std::string& user, const std::string& password) {
  const auto credentials = BasicCredentials::parse(header);
  ASSERT_TRUE(credentials) << header;
  EXPECT_EQ(credentials->user(), user);
  EXPECT_EQ(credentials->password(), password);
}

TEST(BasicCredentials, AreReadAsTheStandardSays) {
  expect("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Aladdin", "open sesame");
  expect("bASIC   dGVzdDoxMjPCow==", "test", "123\u00A3");
  expect("Basic " + base64_encoded("a:b:c:"), "a", "b:c:");
  expect("Basic " + base64_encoded(":"), "", "");
  expect("Basic " + base64_encoded(std::string("a\0:\xFF\0", 5)), std::string("a\0", 2), std::string("\xFF\0", 2));
}

TEST(BasicCredentials, NothingElseIsTaken) {
  for (const std::string header :
       {"", "Basic", "Basic ", "BasicQTpi", "Basic\tQTpi", "Bearer QTpi", "Basic QWI=" /* no colon */, "Basic QTpi ",
        "Basic QTpi QTpi", "Basic QTpi,", "Basic QTp", "Basic QTpi\n", " Basic QTpi", "Basic =", "Basic %41%3A"}) {
    EXPECT_FALSE(BasicCredentials::parse(header)) << header;
  }
}

}  // namespace
}  // namespace aduana
