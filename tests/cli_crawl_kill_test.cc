// kill −9 of a crawling process, again and again: no URL is lost or in two states, every lease returns, the counters
// are those of a full scan (`aduana db check`), and every page that was acknowledged is there.

#include <csignal>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "cli_runner.h"

namespace aduana {
namespace {

int kills() {
  const char* wanted = std::getenv("ADUANA_KILLS");  // `make soak` wants more
  return wanted ? std::atoi(wanted) : 50;
}

class CrawlKillTest : public CliTest {
 protected:
  uint64_t count(const std::string& state) {
    const std::string info = output_of({"db", "info", db(), "--json"});
    const size_t at = info.find('"' + state + "\":");
    return at == std::string::npos ? 0 : std::stoull(info.substr(at + state.size() + 3));
  }
};

TEST_F(CrawlKillTest, NothingIsLostAndEveryLeaseReturns) {
  std::mt19937 random(4);
  std::set<std::string> acknowledged;
  uint64_t urls = 0;
  const int rounds = kills();
  for (int kill = 0; kill < rounds; ++kill) {
    RunningProgram crawl({db(), "1000000"}, dir(), "", "simulated_crawl");
    ASSERT_TRUE(crawl.wait_for_output("done ")) << "kill " << kill;
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 120));
    crawl.signal(SIGKILL);
    const RunResult result = crawl.wait();
    ASSERT_EQ(result.code, 128 + SIGKILL) << result.err;
    std::istringstream lines(result.out.substr(0, result.out.rfind('\n') + 1));
    std::string done, number, url;
    while (lines >> done >> number >> url) acknowledged.insert(url);
    const uint64_t now = count("urls");
    EXPECT_GE(now, urls);
    urls = now;
    if (kill % 10 == 9 || kill + 1 == rounds) {
      const RunResult check = run({"db", "check", db()});
      ASSERT_EQ(check.code, 0) << check.out << check.err;
    }
  }
  std::istringstream lines(output_of({"db", "dump", "info", db()}));
  std::string hash, idx, url, first, last, changes, crawls, depth, score;
  while (lines >> hash >> idx >> url >> first >> last >> changes >> crawls >> depth >> score) {
    if (crawls != "0") acknowledged.erase(url);
  }
  EXPECT_TRUE(acknowledged.empty()) << acknowledged.size() << " acknowledged pages are missing, such as "
                                    << *acknowledged.begin();
  EXPECT_GT(count("done"), 500u);
  // Leases of dead crawlers are still there; when their time is over the pages are to be had again.
  EXPECT_GT(count("leased"), 0u);
  EXPECT_EQ(count("known") + count("queued") + count("leased") + count("scheduled") + count("done") + count("gone"),
            urls);
}

}  // namespace
}  // namespace aduana
