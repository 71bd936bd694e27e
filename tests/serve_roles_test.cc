// Who may ask the server what.
#include <unistd.h>

#include <filesystem>

#include "rest_fixture.h"

namespace aduana {
namespace {

class RolesTest : public RestTest {
 protected:
  // 0: it is let through.
  unsigned refusal(HttpHead head) {
    const auto refused = api_->refuse(head);
    return refused ? refused->status : 0;
  }
};

TEST_F(RolesTest, WithoutPasswordsTheMachineItselfIsAnsweredOnly) {
  HttpHead head;
  head.path = "/request";
  for (const char* host : {"127.0.0.1:8000", "localhost:8000", "[::1]:8000", "", "10.0.0.1"}) {
    head.host = host;
    EXPECT_EQ(refusal(head), 0u) << host;
  }
  head.host = "rebound.example:8000";
  EXPECT_EQ(refusal(head), 403u);
}

// Every path with every role.
TEST_F(RolesTest, EachRoleMayDoItsOwn) {
  const ScryptCost cheap{4, 1, 1};
  const auto file = (std::filesystem::temp_directory_path() / ("aduana_roles_" + std::to_string(::getpid()))).string();
  for (const auto& [user, role] : {std::pair{"s", Role::spider}, {"r", Role::reader}, {"a", Role::admin}}) {
    ASSERT_TRUE(PasswordFile::set_user(file, user, "pw", role, cheap));
  }
  Authenticator access(*PasswordFile::read(file), clock_);
  std::filesystem::remove(file);
  Api api(*frontier_, clock_, ApiOptions{10, "/nowhere", "test"}, &access);
  // "s:pw", "r:pw", "a:pw", none, and "s:no".
  const char* const kWho[] = {"Basic czpwdw==", "Basic cjpwdw==", "Basic YTpwdw==", "", "Basic czpubw=="};
  const struct {
    Method method;
    const char* path;
    const char* allowed;  // a letter each: y, n for 403, 4 for 401
  } kCases[] = {
      {Method::post, "/crawled", "yny44"},  {Method::get, "/request", "yny44"}, {Method::post, "/failed", "yny44"},
      {Method::post, "/released", "yny44"}, {Method::get, "/page", "nyy44"},    {Method::get, "/links", "nyy44"},
      {Method::get, "/hosts", "nyy44"},     {Method::get, "/stats", "nyy44"},   {Method::get, "/metrics", "nyy44"},
      {Method::post, "/host", "nny44"},     {Method::post, "/seeds", "nny44"},  {Method::post, "/pause", "nny44"},
      {Method::get, "/healthz", "yyyyy"},   {Method::get, "/readyz", "yyyyy"},  {Method::get, "/freshness", "nyy44"},
      {Method::post, "/graph", "nny44"},
  };
  for (const auto& one : kCases) {
    std::string told;
    for (const char* who : kWho) {
      HttpHead head;
      head.method = one.method;
      head.path = one.path;
      head.host = "crawl.example:8000";
      head.authorization = who;
      head.client = "10.0.0.1";
      clock_.advance(Millis{61'000});  // so that nobody has been wrong too often
      const auto refused = api.refuse(head);
      told += !refused ? 'y' : refused->status == 403 ? 'n' : refused->status == 401 ? '4' : '?';
    }
    EXPECT_EQ(told, one.allowed) << one.path;
  }
}

TEST_F(RolesTest, PagesOfOtherSitesChangeNothing) {
  HttpHead head;
  head.method = Method::post;
  head.path = "/pause";
  head.host = "127.0.0.1:8000";
  EXPECT_EQ(refusal(head), 0u);
  head.origin = "http://127.0.0.1:8000";
  EXPECT_EQ(refusal(head), 0u);
  head.origin = "http://evil.example";
  EXPECT_EQ(refusal(head), 403u);
  head.origin = "null";
  EXPECT_EQ(refusal(head), 403u);
  head.origin = "http://127.0.0.1:8000";
  head.fetch_site = "cross-site";
  EXPECT_EQ(refusal(head), 403u);
  head.fetch_site = "same-origin";
  EXPECT_EQ(refusal(head), 0u);
}

}  // namespace
}  // namespace aduana
