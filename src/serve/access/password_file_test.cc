#include "serve/access/password_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <set>
#include <thread>

#include "base/must.h"
#include "serve/access/test_folder.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;

constexpr ScryptCost kCheap = {1, 1, 1};

class PasswordFileTest : public testing::Test {
 protected:
  void set(const std::string& user, const std::string& password, std::optional<Role> role = {},
           const ScryptCost& cost = kCheap) {
    must(PasswordFile::set_user(path, user, password, role, cost));
  }
  std::optional<Role> check(const std::string& user, const std::string& password) {
    return must(PasswordFile::read(path)).check(user, password);
  }
  Error error_of(const std::string& text) {
    folder.write("passwords", text);
    const auto file = PasswordFile::read(path);
    EXPECT_FALSE(file) << text;
    return file ? Error(Code::invalid, "") : file.error();
  }
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  TestFolder folder;
  const std::string path = folder.path("passwords");
};

// "secret" under a known salt, so that the format can't change without anybody noticing.
const std::string kLine =
    "ana:admin:scrypt$ln=10,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg==$S7FwBvpu+z8K0PUVUagFRTUAB2dAxIZpzVHvLZir+98=\n";

TEST_F(PasswordFileTest, OnlyTheRightPasswordOfTheRightUserOpens) {
  set("ana", "secret", Role::admin);
  set("ben", "other", Role::reader);
  EXPECT_EQ(check("ana", "secret"), Role::admin);
  EXPECT_EQ(check("ben", "other"), Role::reader);
  EXPECT_EQ(check("ana", "other"), std::nullopt);
  EXPECT_EQ(check("ana", "secre"), std::nullopt);
  EXPECT_EQ(check("ana", "secret "), std::nullopt);
  EXPECT_EQ(check("ana", ""), std::nullopt);
  EXPECT_EQ(check("Ana", "secret"), std::nullopt);
  EXPECT_EQ(check("", "secret"), std::nullopt);
}

TEST_F(PasswordFileTest, AnUnknownUserIsRefusedWhateverThePassword) {
  set("ana", "secret", Role::admin);
  // The work is done on the line of some user; the answer must not be theirs.
  EXPECT_EQ(check("nobody", "secret"), std::nullopt);
}

TEST_F(PasswordFileTest, ReadsTheDocumentedFormat) {
  folder.write("passwords", "# people\n\n  \t\n" + kLine);
  const auto file = must(PasswordFile::read(path));
  EXPECT_EQ(file.users(), 1u);
  EXPECT_EQ(file.role_of("ana"), Role::admin);
  EXPECT_EQ(file.role_of("ben"), std::nullopt);
  EXPECT_EQ(file.check("ana", "secret"), Role::admin);
  folder.write("passwords", kLine.substr(0, kLine.size() - 1) + "\r\n");
  EXPECT_EQ(check("ana", "secret"), Role::admin) << "the line's end of other systems";
  folder.write("passwords", kLine.substr(0, kLine.size() - 1));
  EXPECT_EQ(check("ana", "secret"), Role::admin) << "no end at the last line";
}

TEST_F(PasswordFileTest, SaltsAreRandomAndPasswordsAreNotThere) {
  std::set<std::string> seen;
  for (int i = 0; i < 3; ++i) {
    set("ana", "secret");
    EXPECT_TRUE(seen.insert(folder.read("passwords")).second);
    EXPECT_FALSE(contains(folder.read("passwords"), "secret"));
  }
  set("ana", "secret", {}, ScryptCost{});
  EXPECT_TRUE(contains(folder.read("passwords"), "ana:spider:scrypt$ln=15,r=8,p=1$"));
}

TEST_F(PasswordFileTest, BadLinesAreToldByNumberWithoutTheirHashes) {
  const std::string hash = kLine.substr(kLine.rfind('$') + 1, 44);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string line = kLine;
    return line.replace(line.find(from), from.size(), to);
  };
  const std::pair<std::string, std::string> cases[] = {
      {"ana", "not of the form name:role:hash"},
      {"ana:hunter2", "not of the form name:role:hash"},
      {with("ana:", ":"), "name is empty"},
      {with("ana:", "a\tna:"), "control bytes"},
      {with("admin", "root"), "role is not spider, reader or admin"},
      {with("scrypt", "md5"), "not of the form scrypt$COST$SALT$HASH"},
      {with("ln=10", "ln=x"), "ln=15,r=8,p=1"},
      {with("ln=10", "ln=-1"), "ln=15,r=8,p=1"},
      {with("ln=10", "ln=99999999999"), "ln=15,r=8,p=1"},
      {with("ln=10", "ln=40"), "can't be used"},
      {with("p=1", "p=1,q=2"), "ln=15,r=8,p=1"},
      {with(",p=1", ""), "ln=15,r=8,p=1"},
      {with("MDEy", "MDE"), "salt is damaged"},
      {with("MDEyMzQ1Njc4OWFiY2RlZg==", ""), "salt is damaged"},
      {with(hash, hash.substr(4)), "hash is damaged"},
      {with(hash, hash + "$x"), "hash is damaged"},
      {with(hash, ""), "hash is damaged"},
  };
  for (const auto& [line, reason] : cases) {
    const Error error = error_of("# comment\n" + line);
    EXPECT_EQ(error.code(), Code::corrupt) << line;
    EXPECT_TRUE(contains(error.message(), path + ": line 2: ")) << error.message();
    EXPECT_TRUE(contains(error.message(), reason)) << error.message();
    for (const std::string& secret : {hash.substr(4, 20), std::string("hunter2")}) {
      EXPECT_FALSE(contains(error.message(), secret)) << error.message();
    }
  }
  EXPECT_TRUE(contains(error_of(kLine + "#\n" + kLine).message(), "line 3: the user ana stands in line 1 already"));
}

TEST_F(PasswordFileTest, FilesThatOthersMayReadAreRefusedWithTheRemedy) {
  set("ana", "secret");
  for (const unsigned mode : {0640u, 0604u, 0620u, 0601u}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const auto file = PasswordFile::read(path);
    ASSERT_FALSE(file);
    EXPECT_TRUE(contains(file.error().message(), "chmod 600 " + path)) << file.error().message();
    EXPECT_FALSE(PasswordFile::set_user(path, "ben", "x", {}, kCheap));
  }
  ASSERT_EQ(::chmod(path.c_str(), 0400), 0);
  EXPECT_TRUE(PasswordFile::read(path));
}

TEST_F(PasswordFileTest, WhatIsNoFileIsAnError) {
  EXPECT_EQ(PasswordFile::read(path).error().code(), Code::not_found);
  EXPECT_EQ(PasswordFile::remove_user(path, "ana").error().code(), Code::not_found);
  EXPECT_FALSE(fs::exists(path));
  fs::create_directory(path);
  EXPECT_FALSE(PasswordFile::read(path));
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(PasswordFile::read(folder.path("pipe"))) << "and does not wait for a writer";
}

double cpu_seconds() {
  timespec now;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TEST_F(PasswordFileTest, UnknownUsersTakeAsLongAsOthers) {
  set("ana", "secret", Role::admin, {12, 8, 1});
  const auto file = must(PasswordFile::read(path));
  const auto shortest = [&](const std::string& user, const std::string& password) {
    double least = 1e9;
    for (int i = 0; i < 5; ++i) {
      const double start = cpu_seconds();
      EXPECT_FALSE(file.check(user, password));
      least = std::min(least, cpu_seconds() - start);
    }
    return least;
  };
  const double known = shortest("ana", "wrong");
  for (const std::string user : {"nobody", "", "an"}) {
    const double unknown = shortest(user, "wrong");
    EXPECT_GT(unknown, known / 2) << user;
    EXPECT_LT(unknown, known * 2) << user;
  }
}

TEST_F(PasswordFileTest, AFileWithoutUsersLetsNobodyIn) {
  folder.write("passwords", "# nobody yet\n");
  EXPECT_EQ(check("ana", ""), std::nullopt);
}

TEST_F(PasswordFileTest, SettingAUserKeepsAllOtherLines) {
  const std::string before = "# people\n\n" + kLine + "  \n# the end";
  folder.write("passwords", before);
  const auto added = must(PasswordFile::set_user(path, "ben", "x", Role::reader, kCheap));
  EXPECT_TRUE(added.added);
  EXPECT_EQ(added.role, Role::reader);
  EXPECT_TRUE(folder.read("passwords").starts_with(before + "\nben:reader:scrypt$"));
  must(PasswordFile::remove_user(path, "ben"));
  EXPECT_EQ(folder.read("passwords"), before + "\n");
  set("ana", "y");
  EXPECT_TRUE(folder.read("passwords").starts_with("# people\n\nana:admin:scrypt$ln=1,"));
  EXPECT_TRUE(folder.read("passwords").ends_with("\n  \n# the end\n"));
  EXPECT_EQ(folder.count(), 1);
}

TEST_F(PasswordFileTest, AUserWithoutARoleKeepsIt) {
  EXPECT_EQ(must(PasswordFile::set_user(path, "ana", "x", {}, kCheap)).role, Role::spider);
  set("ana", "x", Role::reader);
  const auto change = must(PasswordFile::set_user(path, "ana", "y", {}, kCheap));
  EXPECT_EQ(change.role, Role::reader);
  EXPECT_FALSE(change.added);
  EXPECT_EQ(check("ana", "y"), Role::reader);
  EXPECT_EQ(check("ana", "x"), std::nullopt);
}

TEST_F(PasswordFileTest, NewFilesAreForTheirOwnerOnly) {
  const mode_t mask = ::umask(0);
  set("ana", "x");
  set("ana", "y");
  ::umask(mask);
  struct stat info;
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(PasswordFileTest, RemovingWhoIsNotThereIsAnError) {
  set("ana", "x");
  const std::string before = folder.read("passwords");
  const Status removed = PasswordFile::remove_user(path, "ben");
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code(), Code::not_found);
  EXPECT_TRUE(contains(removed.error().message(), "there is no user ben"));
  EXPECT_EQ(folder.read("passwords"), before);
  must(PasswordFile::remove_user(path, "ana"));
  EXPECT_EQ(must(PasswordFile::read(path)).users(), 0u);
}

TEST_F(PasswordFileTest, ADamagedFileIsNotChanged) {
  folder.write("passwords", kLine + "garbage\n");
  EXPECT_FALSE(PasswordFile::set_user(path, "ben", "x", {}, kCheap));
  EXPECT_FALSE(PasswordFile::remove_user(path, "ana"));
  EXPECT_EQ(folder.read("passwords"), kLine + "garbage\n");
}

TEST_F(PasswordFileTest, TwoWritersLoseNothing) {
  // Begins without a file, which both want to make.
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w) {
    writers.emplace_back([this, w] {
      for (int i = 0; i < 10; ++i) set("user" + std::to_string(w) + "." + std::to_string(i), "x");
    });
  }
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(must(PasswordFile::read(path)).users(), 40u);
  EXPECT_EQ(folder.count(), 1);
}

TEST_F(PasswordFileTest, NamesAndPasswordsThatCanNotBeSentAreRefused) {
  for (const std::string& name : {std::string(), std::string("a:b"), std::string("a\nb"), std::string("a\0b", 3),
                                  std::string("\x7F"), std::string("#ana"), std::string(256, 'a')}) {
    EXPECT_FALSE(PasswordFile::set_user(path, name, "x", {}, kCheap)) << name;
  }
  for (const std::string& password : {std::string(), std::string("a\rb"), std::string(1025, 'a')}) {
    const auto change = PasswordFile::set_user(path, "ana", password, {}, kCheap);
    ASSERT_FALSE(change);
    EXPECT_EQ(change.error().code(), Code::invalid);
    EXPECT_FALSE(!password.empty() && contains(change.error().message(), password));
  }
  EXPECT_FALSE(fs::exists(path));
  set("José é", "contraseña: with colons: and spaces ");
  EXPECT_EQ(check("José é", "contraseña: with colons: and spaces "), Role::spider);
  set(std::string(255, 'a'), std::string(1024, 'a'));
}

}  // namespace
}  // namespace aduana
