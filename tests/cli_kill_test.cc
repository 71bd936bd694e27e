// kill −9 of a loading process, again and again: what it had acknowledged is there, and the store is whole.

#include <csignal>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "cli_runner.h"

namespace aduana {
namespace {

using std::chrono::milliseconds;

constexpr int kPages = 6000;
constexpr int kKills = 60;

std::string url_of(int page) { return "http://host" + std::to_string(page % 97) + ".example/" + std::to_string(page); }

std::string crawl() {
  std::mt19937 random(1);
  std::string lines;
  for (int i = 0; i < kPages; ++i) {
    lines += "{\"url\":\"" + url_of(i) + "\",\"links\":[";
    for (int k = 0; k < 10; ++k) lines += "[\"" + url_of(static_cast<int>(random() % (3 * kPages))) + "\",1],";
    lines.back() = ']';
    lines += "}\n";
  }
  return lines;
}

// The last line number that was acknowledged; a line of output that the kill cut short does not count.
int last_ack(const std::string& output, int before) {
  const size_t end = output.rfind('\n');
  if (end == std::string::npos) return before;
  const size_t begin = output.rfind("acked ", end);
  return begin == std::string::npos ? before : std::stoi(output.substr(begin + 6));
}

class KillTest : public CliTest {
 protected:
  std::vector<std::string> load_from(int line, const char* durability) {
    // Small enough for checkpoints, flushes and merges to be under way at any time.
    return {"db",
            "load",
            db(),
            path("crawl"),
            "--ack",
            "--from-line",
            std::to_string(line),
            "--durability",
            durability,
            "--batch",
            "10",
            "--keep-journal",
            "--checkpoint-bytes",
            "32K",
            "--memtable",
            "256",
            "--cache",
            "1M"};
  }

  // The URLs with at least one crawl.
  std::set<std::string> crawled() {
    std::set<std::string> urls;
    std::istringstream lines(output_of({"db", "dump", "info", db()}));
    std::string hash, idx, url, first, last, changes, crawls, depth, score;
    while (lines >> hash >> idx >> url >> first >> last >> changes >> crawls >> depth >> score) {
      if (crawls != "0") urls.insert(url);
    }
    return urls;
  }

  void expect_acknowledged(const std::vector<bool>& acked) {
    const RunResult check = run({"db", "check", db()});
    ASSERT_EQ(check.code, 0) << check.out << check.err;
    const auto there = crawled();
    for (int page = 0; page < kPages; ++page) {
      const bool lost = acked[page] && !there.contains(url_of(page));
      ASSERT_FALSE(lost) << "line " << page + 1 << " was acknowledged";
    }
  }
};

TEST_F(KillTest, WhatWasAcknowledgedSurvivesKill9) {
  write_whole(path("crawl"), crawl());
  write_whole(path("empty"), "");
  std::mt19937 random(2);
  std::vector<bool> acked(kPages, false);
  int done = 0;  // lines of the current round
  int kills = 0, kills_with_acks = 0;
  for (int round = 0; kills < kKills && round < 10 * kKills; ++round) {
    RunningProgram load(load_from(done + 1, round % 2 ? "always" : "interval"), dir(), path("empty"));
    if (random() % 2) {
      // At work for sure: some time after the first acknowledgement.
      load.wait_for_output("acked ");
      std::this_thread::sleep_for(milliseconds(random() % 40));
    } else {
      std::this_thread::sleep_for(milliseconds(5 + random() % 56));
    }
    load.signal(SIGKILL);
    const RunResult result = load.wait();
    ASSERT_TRUE(result.code == 128 + SIGKILL || result.code == 0) << result.code << ": " << result.err;
    ASSERT_EQ(result.err, "");
    const int now = last_ack(result.out, done);
    if (result.code != 0) {
      ++kills;
      kills_with_acks += now > done;
    }
    for (; done < now; ++done) acked[done] = true;
    if (done == kPages) done = 0;  // once more from the start: pages that are known get another crawl
    if (kills % 15 == 14) expect_acknowledged(acked);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(kills, 50);
  EXPECT_GE(kills_with_acks, 10) << "most of the kills came before there was anything to lose";
  expect_acknowledged(acked);

  // The journal is kept: all that the crashes left can be derived again, and is the same.
  const std::string before = output_of({"db", "dump", "info", db()}) + output_of({"db", "dump", "links", db()});
  output_of({"db", "rebuild", db()});
  EXPECT_TRUE(output_of({"db", "dump", "info", db()}) + output_of({"db", "dump", "links", db()}) == before);
  expect_acknowledged(acked);
}

}  // namespace
}  // namespace aduana
