#include "serve/access/new_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/must.h"
#include "serve/access/test_folder.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;

class NewFileTest : public testing::Test {
 protected:
  mode_t mode_of(const std::string& path) {
    struct stat info;
    EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 0777;
  }
  TestFolder folder;
};

TEST_F(NewFileTest, AppearsOnlyWhenPut) {
  const std::string path = folder.path("secret");
  {
    auto file = must(NewFile::write(path, "one", 0600));
    EXPECT_FALSE(fs::exists(path));
    for (const auto& beside : fs::directory_iterator(folder.path())) EXPECT_EQ(mode_of(beside.path()), 0600u);
    must(file.put(NewFile::Over::nothing));
  }
  EXPECT_EQ(folder.read("secret"), "one");
  EXPECT_EQ(mode_of(path), 0600u);
  { const auto forgotten = must(NewFile::write(path, "two", 0600)); }
  EXPECT_EQ(folder.read("secret"), "one");
  EXPECT_EQ(folder.count(), 1);
}

TEST_F(NewFileTest, ReplacesOnlyWhenTold) {
  folder.write("secret", "old");
  {
    auto file = must(NewFile::write(folder.path("secret"), "new", 0600));
    const Status refused = file.put(NewFile::Over::nothing);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), Code::exists);
    EXPECT_EQ(folder.read("secret"), "old");
    must(file.put(NewFile::Over::anything));
  }
  EXPECT_EQ(folder.read("secret"), "new");
  EXPECT_EQ(folder.count(), 1);
}

TEST_F(NewFileTest, ALinkStaysALink) {
  folder.write("real", "old");
  fs::create_symlink("real", folder.path("link"));
  must(must(NewFile::write(folder.path("link"), "new", 0600)).put(NewFile::Over::anything));
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(folder.read("real"), "new");
  // One that leads nowhere is something under the name, too.
  fs::create_symlink("nowhere", folder.path("dangling"));
  EXPECT_FALSE(must(NewFile::write(folder.path("dangling"), "new", 0600)).put(NewFile::Over::nothing));
}

TEST_F(NewFileTest, TheOwnerStays) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  folder.write("secret", "old");
  ASSERT_EQ(::chown(folder.path("secret").c_str(), 12345, 23456), 0);
  must(must(NewFile::write(folder.path("secret"), "new", 0600)).put(NewFile::Over::anything));
  struct stat info;
  ASSERT_EQ(::stat(folder.path("secret").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, 12345u);
  EXPECT_EQ(info.st_gid, 23456u);
}

TEST_F(NewFileTest, ErrorsNameTheFile) {
  const auto file = NewFile::write(folder.path("no/such/folder"), "x", 0600);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), Code::not_found);
  EXPECT_NE(file.error().message().find("no/such/folder"), std::string::npos);
  fs::create_directory(folder.path("folder"));
  EXPECT_FALSE(must(NewFile::write(folder.path("folder"), "x", 0600)).put(NewFile::Over::anything));
}

}  // namespace
}  // namespace aduana
