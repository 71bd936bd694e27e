#include "serve/access/authenticator.h"

#include <gtest/gtest.h>
#include <time.h>

#include <atomic>
#include <thread>

#include "base/must.h"
#include "serve/access/base64.h"
#include "serve/access/test_folder.h"

namespace aduana {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

std::string basic(const std::string& user, const std::string& password) {
  return "Basic " + base64_encoded(user + ":" + password);
}

double cpu_seconds() {
  timespec now;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class AuthenticatorTest : public testing::Test {
 protected:
  void set(const std::string& user, const std::string& password, Role role, const ScryptCost& cost = {1, 1, 1}) {
    must(PasswordFile::set_user(path, user, password, role, cost));
  }
  PasswordFile passwords() { return must(PasswordFile::read(path)); }
  void expect_granted(Authenticator& door, const std::string& header, Role role, const std::string& from = "10.0.0.1") {
    const AccessAnswer answer = door.authenticate(header, from);
    EXPECT_EQ(answer.access, Access::granted);
    EXPECT_EQ(answer.role, role);
  }

  TestFolder folder;
  const std::string path = folder.path("passwords");
  ManualClock clock;
};

TEST_F(AuthenticatorTest, EverybodyIsAdminWithoutPasswords) {
  Authenticator door(std::nullopt, clock);
  for (const std::string header : {"", "Basic QTpi", "garbage"}) expect_granted(door, header, Role::admin);
  EXPECT_TRUE(door.answer_at_once("", "10.0.0.1"));
}

TEST_F(AuthenticatorTest, TellsRightFromWrongFromMissing) {
  set("ana", "secret", Role::admin);
  set("spider", "web:eight", Role::spider);
  Authenticator door(passwords(), clock);
  expect_granted(door, basic("ana", "secret"), Role::admin);
  expect_granted(door, basic("spider", "web:eight"), Role::spider);
  EXPECT_EQ(door.authenticate("", "10.0.0.1").access, Access::missing);
  for (const std::string& header :
       {basic("ana", "wrong"), basic("nobody", "secret"), std::string("Bearer secret"), std::string("Basic"),
        std::string("Basic !"), basic("ana", std::string(1 << 20, 'x'))}) {
    EXPECT_EQ(door.authenticate(header, "10.0.0.1").access, Access::wrong) << header.substr(0, 40);
  }
}

TEST_F(AuthenticatorTest, NoUsersIsNotTheSameAsNoPasswords) {
  folder.write("passwords", "");
  Authenticator door(passwords(), clock);
  EXPECT_EQ(door.authenticate("", "10.0.0.1").access, Access::missing);
  EXPECT_EQ(door.authenticate(basic("", ""), "10.0.0.1").access, Access::wrong);
}

TEST_F(AuthenticatorTest, TheHashIsComputedOnceForAHeaderInUse) {
  set("ana", "secret", Role::admin, {12, 8, 1});
  Authenticator door(passwords(), clock);
  EXPECT_FALSE(door.answer_at_once(basic("ana", "secret"), "10.0.0.1"));
  const double start = cpu_seconds();
  expect_granted(door, basic("ana", "secret"), Role::admin);
  const double first = cpu_seconds() - start;
  for (int i = 0; i < 20; ++i) expect_granted(door, basic("ana", "secret"), Role::admin);
  EXPECT_LT(cpu_seconds() - start - first, 10 * first);
  EXPECT_TRUE(door.answer_at_once(basic("ana", "secret"), "10.0.0.2"));
  clock.advance(minutes(5));
  EXPECT_FALSE(door.answer_at_once(basic("ana", "secret"), "10.0.0.1"));
}

TEST_F(AuthenticatorTest, GuessersHaveToWait) {
  set("ana", "secret", Role::admin);
  set("ben", "other", Role::reader);
  Authenticator door(passwords(), clock, {.attempts = {.attempts = 3, .window = seconds(60)}});
  expect_granted(door, basic("ana", "secret"), Role::admin);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(door.authenticate(basic("ben", std::to_string(i)), "10.0.0.1").access, Access::wrong);
  }
  const AccessAnswer refused = door.authenticate(basic("ben", "other"), "10.0.0.1");
  EXPECT_EQ(refused.access, Access::too_many) << "even with the right password";
  EXPECT_EQ(refused.wait, seconds(60));
  expect_granted(door, basic("ana", "secret"), Role::admin);
  expect_granted(door, basic("ben", "other"), Role::reader, "10.0.0.2");
  EXPECT_EQ(door.authenticate("", "10.0.0.1").access, Access::missing);
  clock.advance(seconds(60));
  EXPECT_EQ(door.authenticate(basic("ben", "x"), "10.0.0.1").access, Access::wrong);
}

TEST_F(AuthenticatorTest, WrongHeadersAreNotRemembered) {
  set("ana", "secret", Role::admin);
  Authenticator door(passwords(), clock, {.attempts = {.attempts = 100}});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(door.authenticate(basic("ana", "wrong"), "10.0.0.1").access, Access::wrong);
    EXPECT_FALSE(door.answer_at_once(basic("ana", "wrong"), "10.0.0.1"));
  }
}

TEST_F(AuthenticatorTest, AskingInParallelGivesNoMoreAttempts) {
  set("ana", "secret", Role::admin, {10, 8, 1});
  Authenticator door(passwords(), clock, {.attempts = {.attempts = 3}});
  std::atomic<int> wrong = 0, too_many = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const AccessAnswer answer = door.authenticate(basic("ana", std::to_string(t)), "10.0.0.1");
      wrong += answer.access == Access::wrong;
      too_many += answer.access == Access::too_many;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 3);
  EXPECT_EQ(too_many, 5);
}

TEST_F(AuthenticatorTest, ManyConnectionsOfOneSpiderAllGetIn) {
  set("spider", "web", Role::spider, {10, 8, 1});
  Authenticator door(passwords(), clock, {.attempts = {.attempts = 1}});
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] { expect_granted(door, basic("spider", "web"), Role::spider); });
  }
  for (auto& thread : threads) thread.join();
}

TEST_F(AuthenticatorTest, ReplacedPasswordsCountAtOnce) {
  set("ana", "secret", Role::admin);
  set("ben", "other", Role::reader);
  Authenticator door(passwords(), clock);
  expect_granted(door, basic("ana", "secret"), Role::admin);
  expect_granted(door, basic("ben", "other"), Role::reader);
  must(PasswordFile::remove_user(path, "ana"));
  set("ben", "other", Role::admin);
  door.replace(passwords());
  EXPECT_EQ(door.authenticate(basic("ana", "secret"), "10.0.0.1").access, Access::wrong);
  expect_granted(door, basic("ben", "other"), Role::admin);
  Authenticator open(std::nullopt, clock);
  open.replace(passwords());
  expect_granted(open, "", Role::admin);
}

}  // namespace
}  // namespace aduana
