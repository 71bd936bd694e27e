// Taking pages from a store on the command line: next, fail, hosts and queue.

#include <sstream>

#include "cli_runner.h"

namespace aduana {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* kCrawl =
    R"({"url":"http://a.com/","score":0.5,"links":[["/1",0.25],["http://b.org/",0.75],["/2",0.9]]}
)";

class NextTest : public CliTest {
 protected:
  NextTest() { load(kCrawl); }
};

TEST_F(NextTest, TheBestPagesAreLeasedOnePerHost) {
  EXPECT_EQ(output_of({"db", "next", db(), "-n", "10"}), "http://a.com/2\nhttp://b.org/\n");
  EXPECT_EQ(output_of({"db", "next", db(), "-n", "10"}), "") << "one in flight";
  EXPECT_TRUE(contains(output_of({"db", "info", db(), "--json"}), "\"queued\":1,\"leased\":2,"));
  load("{\"url\":\"http://a.com/2\"}\n");
  EXPECT_TRUE(
      contains(output_of({"db", "info", db(), "--json"}), "\"queued\":1,\"leased\":1,\"scheduled\":0,\"done\":2,"));
  EXPECT_EQ(run({"db", "check", db()}).code, 0);
}

TEST_F(NextTest, ALeaseEndsByItself) {
  const std::string json = output_of({"db", "next", db(), "-n", "1", "--lease", "1ms", "--json", "--delay", "0s"});
  EXPECT_TRUE(
      json.starts_with(R"({"url":"http://a.com/2","idx":3,"score":0.9,"depth":1,"crawl":"DEFAULT","queue":"a.com",)"))
      << json;
  EXPECT_EQ(output_of({"db", "next", db(), "-n", "1", "--delay", "0s", "--host", "a.com"}), "http://a.com/2\n");
  EXPECT_EQ(output_of({"db", "next", db(), "--crawl", "other"}), "");
}

TEST_F(NextTest, FailuresAreToldAndWhatBecameOfThePage) {
  EXPECT_EQ(run({"db", "fail", db(), "http://b.org/"}).code, 1) << "nobody has it";
  output_of({"db", "next", db(), "--host", "b.org", "--lease", "1h"});
  EXPECT_EQ(output_of({"db", "fail", db(), "http://b.org/"}), "queued http://b.org/\n");
  EXPECT_EQ(output_of({"db", "fail", db(), "http://b.org/", "--kind", "gone"}), "gone http://b.org/\n");
  const RunResult unknown = run({"db", "fail", db(), "http://nowhere.net/"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(contains(unknown.err, "no page http://nowhere.net/")) << unknown.err;
  EXPECT_EQ(output_of({"db", "fail", db(), "http://b.org/"}), "gone http://b.org/\n") << "it stays so";
  EXPECT_EQ(run({"db", "fail", db(), "http://b.org/", "--kind", "tired"}).code, 2);
  EXPECT_EQ(run({"db", "fail", db(), "http://a.com/1", "--kind", "redirect"}).code, 2) << "where to?";
  EXPECT_EQ(output_of({"db", "fail", db(), "http://a.com/1", "--kind", "redirect", "--to", "/moved"}),
            "done http://a.com/1\n");
  EXPECT_TRUE(contains(output_of({"db", "queue", db(), "a.com"}), "http://a.com/moved\n"));
}

TEST_F(NextTest, HostsAndQueuesAreListed) {
  EXPECT_EQ(output_of({"db", "queue", db(), "a.com"}), "0.9 http://a.com/2\n0.25 http://a.com/1\n");
  EXPECT_EQ(output_of({"db", "queue", db(), "a.com", "--limit", "1"}),
            "0.9 http://a.com/2\nand 1 more; --limit 0 lists all\n");
  EXPECT_EQ(run({"db", "queue", db(), "c.net"}).code, 1);
  output_of({"db", "next", db(), "-n", "1", "--lease", "1h"});
  std::istringstream table(output_of({"db", "hosts", db()}));
  std::string line;
  std::getline(table, line);
  EXPECT_TRUE(line.starts_with("host ")) << line;
  std::getline(table, line);
  std::istringstream row(line);
  std::string host, pending, leased, done, gone;
  row >> host >> pending >> leased >> done >> gone;
  EXPECT_EQ(host + pending + leased + done + gone, "a.com1110");
  EXPECT_TRUE(contains(output_of({"db", "hosts", db(), "--json", "--limit", "1"}),
                       R"({"host":"a.com","crawl":"DEFAULT","pending":1,"known":0,"queued":1,"leased":1,)"));
  EXPECT_TRUE(contains(output_of({"db", "hosts", db(), "--limit", "1"}), "and 1 more"));
}

TEST_F(NextTest, BadArgumentsAreNamed) {
  EXPECT_TRUE(contains(run({"db", "next", db(), "--lease", "5x"}).err, "5x is not a duration"));
  EXPECT_TRUE(contains(run({"db", "next", db(), "--order", "worst"}).err, "there is no order \"worst\""));
  EXPECT_EQ(run({"db", "next", db(), "-n", "-1"}).code, 2);
  EXPECT_EQ(run({"db", "next", path("nothing")}).err, "aduana: " + path("nothing") + ": no Aduana store is here\n");
  EXPECT_EQ(output_of({"db", "next", db(), "-n", "0"}), "");
}

}  // namespace
}  // namespace aduana
