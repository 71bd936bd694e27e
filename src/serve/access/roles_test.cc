#include "serve/access/roles.h"

#include <gtest/gtest.h>

#include "base/must.h"

namespace aduana {
namespace {

TEST(Roles, AreFoundByTheirNames) {
  for (const Role role : {Role::spider, Role::reader, Role::admin}) EXPECT_EQ(must(role_named(name_of(role))), role);
  EXPECT_EQ(name_of(Role::reader), "reader");
}

TEST(Roles, OtherNamesAreRefusedWithTheRightOnes) {
  for (const char* name : {"", "Admin", "admin ", "root"}) {
    const auto role = role_named(name);
    ASSERT_FALSE(role) << name;
    EXPECT_EQ(role.error().code(), Code::invalid);
    EXPECT_NE(role.error().message().find("spider, reader or admin"), std::string::npos);
  }
}

}  // namespace
}  // namespace aduana
