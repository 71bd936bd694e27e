// `aduana db load`: what it takes, what it skips and says, and how it ends.

#include <csignal>

#include "cli_runner.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class LoadTest : public CliTest {
 protected:
  // The number of a counter in `info --json`.
  uint64_t info(const std::string& field) {
    const std::string json = output_of({"db", "info", db(), "--json"});
    const size_t at = json.find("\"" + field + "\":");
    EXPECT_NE(at, std::string::npos) << field << " in " << json;
    return std::stoull(json.substr(at + field.size() + 3));
  }

  void expect_bad_line(const std::string& line, const std::string& reason) {
    SCOPED_TRACE(line.substr(0, 200));
    const RunResult result =
        run({"db", "load", db(), "-"}, "{\"url\":\"http://ok.com/1\"}\n" + line + "\n{\"url\":\"http://ok.com/2\"}\n");
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(result.err.starts_with("aduana: line 2: ")) << result.err;
    EXPECT_TRUE(contains(result.err, reason)) << result.err;
    EXPECT_TRUE(contains(result.out, "1 line skipped\n")) << result.out;
    EXPECT_EQ(info("urls"), 2u);
    fs::remove_all(db());
  }
};

TEST_F(LoadTest, TakesTheDocumentedExample) {
  load(
      R"({ "url" : "http://scrapinghub.com", "score": 0.5, "links": [["http://scrapinghub.com/professional-services/", 1.0], ["http://scrapinghub.com/platform/", 0.5], ["http://scrapinghub.com/pricing/", 0.8], ["http://scrapinghub.com/clients/", 0.9]] })");
  EXPECT_EQ(info("urls"), 5u);
  EXPECT_EQ(info("crawled"), 1u);
  EXPECT_EQ(info("links"), 4u);
}

TEST_F(LoadTest, BadLinesAreReportedWithNumberAndReason) {
  expect_bad_line("nonsense", "not JSON");
  expect_bad_line("{\"url\":\"http://a.com/\"", "not JSON");
  expect_bad_line("{\"url\":\"http://a.com/\"} {}", "not JSON");
  expect_bad_line("[\"http://a.com/\"]", "expected an object");
  expect_bad_line("\"http://a.com/\"", "expected an object");
  expect_bad_line("{}", "\"url\" is missing");
  expect_bad_line("{\"score\":1}", "\"url\" is missing");
  expect_bad_line("{\"url\":null}", "\"url\" must be a string, not null");
  expect_bad_line("{\"url\":1}", "\"url\" must be a string, not a number");
  expect_bad_line("{\"url\":[\"http://a.com/\"]}", "\"url\" must be a string, not a list");
  expect_bad_line("{\"url\":\"http://a.com/\",\"score\":\"1\"}", "\"score\" must be a number, not a string");
  expect_bad_line("{\"url\":\"http://a.com/\",\"score\":true}", "\"score\" must be a number, not true or false");
  expect_bad_line("{\"url\":\"http://a.com/\",\"links\":\"http://b.com/\"}", "\"links\" must be a list, not a string");
  expect_bad_line("{\"url\":\"http://a.com/\",\"links\":[\"http://b.com/\",7]}",
                  "\"links\"[1] must be a pair [url, score], not a number");
  expect_bad_line("{\"url\":\"http://a.com/\",\"links\":[[\"http://b.com/\"]]}", "not a list of 1");
  expect_bad_line("{\"url\":\"http://a.com/\",\"links\":[[1,\"http://b.com/\"]]}",
                  "the URL of \"links\"[0] must be a string, not a number");
  expect_bad_line("{\"url\":\"http://a.com/\",\"links\":[[\"http://b.com/\",[]]]}",
                  "the score of \"links\"[0] must be a number, not a list");
  expect_bad_line("{\"url\":\"http://a.com/\",\"links\":[{\"score\":1}]}", "\"links\"[0] has no \"url\"");
  expect_bad_line("{\"url\":\"http://a.com/\",\"time\":\"now\"}", "\"time\" must be a number of seconds");
  expect_bad_line("{\"url\":\"http://a.com/\",\"time\":-1}", "\"time\" is -1");
  expect_bad_line("{\"url\":\"http://a.com/\",\"time\":1e18}", "\"time\" is 1e+18");
  expect_bad_line("{\"url\":\"http://a.com/\",\"content_hash\":12}", "\"content_hash\" must be a string");
  expect_bad_line("{\"url\":\"http://a.com/\",\"metadata\":{}}", "\"metadata\" must be a string, not an object");
}

TEST_F(LoadTest, NumbersThatAreNotFiniteAreBadLines) {
  for (const std::string number : {"1e999", "-1e999", "NaN", "Infinity", "-Infinity", "0x10", "01"}) {
    expect_bad_line("{\"url\":\"http://a.com/\",\"score\":" + number + "}", "not JSON");
    expect_bad_line("{\"url\":\"http://a.com/\",\"links\":[[\"http://b.com/\"," + number + "]]}", "not JSON");
  }
  expect_bad_line("{\"url\":\"http://a.com/\",\"score\":1e39}", "\"score\" is 1e+39, which is too large");
  expect_bad_line("{\"url\":\"http://a.com/\",\"links\":[[\"http://b.com/\",-1e300]]}",
                  "the score of \"links\"[0] is -1e+300, which is too large");
}

TEST_F(LoadTest, BytesThatAreNoTextAreBadLines) {
  expect_bad_line("{\"url\":\"http://a.com/\xff\"}", "invalid UTF-8");
  expect_bad_line("{\"url\":\"http://a.com/\xc0\x80\"}", "invalid UTF-8");
  expect_bad_line("{\"url\":\"http://a.com/\xed\xa0\x80\"}", "invalid UTF-8");
  expect_bad_line(std::string("{\"url\":\"http://a.com/\0\"}", 24), "control byte");
  expect_bad_line(std::string("\0\0\0", 3), "not JSON");
  expect_bad_line("{\"url\":\"http://a.com/\x01\"}", "control byte");
}

TEST_F(LoadTest, PageUrlThatIsNoneIsABadLine) {
  expect_bad_line("{\"url\":\"\"}", "");
  expect_bad_line("{\"url\":\"/relative\"}", "relative");
  expect_bad_line("{\"url\":\"http://a b/\"}", "a b");
  expect_bad_line("{\"url\":\"http://a.com/" + std::string(70000, 'x') + "\"}", "65536");
}

TEST_F(LoadTest, ForeignBytesNeverReachTheTerminal) {
  const RunResult result = run({"db", "load", db(), "-"}, "{\"url\":\"\\u001b]0;title\\u0007\"}\n");
  EXPECT_EQ(result.code, 1);
  EXPECT_FALSE(contains(result.err, "\x1b")) << result.err;
  EXPECT_FALSE(contains(result.err, "\x07")) << result.err;
}

TEST_F(LoadTest, RefusedLinksAreWarningsAndTheRestOfThePageIsKept) {
  const std::string long_link = "http://b.com/" + std::string(70000, 'y');
  const RunResult result =
      run({"db", "load", db(), "-"}, "\n{\"url\":\"http://a.com/\",\"links\":[[\"http://b.com/\",1],[\"" + long_link +
                                         "\",1],[\"http://[bad\",0],[\"http://c.com/\",1]]}\n");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "aduana: warning: line 2: link 2 left out: http://b.com/yyy")) << result.err;
  EXPECT_TRUE(contains(result.err, "65536")) << result.err;
  EXPECT_TRUE(contains(result.err, "aduana: warning: line 2: link 3 left out: http://[bad: ")) << result.err;
  EXPECT_LT(result.err.size(), 3000u) << "the link is cut";
  EXPECT_TRUE(contains(result.out, "1 page with 2 links, 3 new URLs")) << result.out;
  EXPECT_TRUE(contains(result.out, "2 links left out\n")) << result.out;
  EXPECT_EQ(info("urls"), 3u);
}

TEST_F(LoadTest, ManyRefusedLinksAreCountedNotListed) {
  std::string links;
  for (int i = 0; i < 1000; ++i) links += "\"http://[bad\",";
  links.back() = ']';
  const RunResult result =
      run({"db", "load", db(), "-", "--json"}, "{\"url\":\"http://a.com/\",\"links\":[" + links + "}");
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(contains(result.err, "line 1: 995 more links left out\n")) << result.err;
  EXPECT_TRUE(contains(result.out, "\"refused_links\":1000,")) << result.out;
}

TEST_F(LoadTest, LinksMayBeBareOrObjectsAndNullMeansNotGiven) {
  load(
      "\xEF\xBB\xBF{\"url\":\"http://a.com/\",\"score\":null,\"time\":null,\"links\":[\"/1\",{\"url\":\"/"
      "2\",\"score\":2},"
      "{\"url\":\"/3\",\"other\":[{}]},[\"/4\",null]],\"unknown\":{\"x\":[1,2]}}\r\n\r\n \t\n"
      "{\"url\":\"http://a.com/1\",\"links\":null,\"content_hash\":null,\"metadata\":null}");
  EXPECT_EQ(info("urls"), 5u);
  EXPECT_EQ(info("crawled"), 2u);
  EXPECT_TRUE(contains(output_of({"db", "dump", "info", db()}), "http://a.com/2 0 0 0 0 1 2\n"));
}

TEST_F(LoadTest, EmptyInputMakesAnEmptyStore) {
  load("");
  EXPECT_EQ(info("urls"), 0u);
  EXPECT_EQ(output_of({"db", "dump", "info", db()}), "");
  EXPECT_EQ(output_of({"db", "check", db()}), "no problems: 0 pages, 0 links\n");
}

TEST_F(LoadTest, UnreadableInputCreatesNothing) {
  for (const std::string& input : {path("missing"), dir().string()}) {
    const RunResult result = run({"db", "load", db(), input});
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(contains(result.err, input)) << result.err;
    EXPECT_FALSE(fs::exists(db()));
  }
}

TEST_F(LoadTest, LinksToItselfAndDoublesAreKeptOnce) {
  load("{\"url\":\"http://a.com/\",\"links\":[\"http://a.com/\",\"/#x\",\"\",\"/1\",\"/1\",\"http://A.com/%31\"]}\n");
  EXPECT_EQ(output_of({"db", "dump", "links", db()}), "0 0\n0 1\n");
}

TEST_F(LoadTest, ControlBytesAreEscapedOrLeftOutAsTheUrlStandardSays) {
  load(R"({"url":"http://a.com/\u0000\u0001\t\nx","content_hash":"\u0000\u0001","metadata":"\u0000\"\ud800"})");
  const std::string json = output_of({"db", "dump", "info", db(), "--json"});
  EXPECT_TRUE(contains(json, "\"url\":\"http://a.com/%00%01x\"")) << json;
  EXPECT_TRUE(contains(json, "\"content_hash\":\"\\u0000\\u0001\",\"content_hash_hex\":\"0001\"")) << json;
  EXPECT_TRUE(contains(json, "\"metadata\":\"\\u0000\\\"\xEF\xBF\xBD\"")) << json;
}

TEST_F(LoadTest, ContentHashTellsChanges) {
  std::string lines;
  int time = 0;
  for (const std::string& hash : {std::string("a"), std::string("a"), std::string("b"), std::string(100, 'c')}) {
    lines += "{\"url\":\"http://a.com/\",\"time\":" + std::to_string(++time) + ",\"content_hash\":\"" + hash + "\"}\n";
  }
  load(lines);
  EXPECT_TRUE(contains(output_of({"db", "dump", "info", db()}), "http://a.com/ 1.000 4.000 2 4 0 0\n"));
  load(lines.substr(lines.rfind('{')));
  EXPECT_TRUE(contains(output_of({"db", "dump", "info", db()}), "http://a.com/ 1.000 4.000 2 4 0 0\n"))
      << "the same crawl loaded twice counts once";
}

TEST_F(LoadTest, HugeLinesAreTaken) {
  std::string line = "{\"url\":\"http://a.com/\",\"links\":[";
  for (int i = 0; i < 200000; ++i) line += "[\"http://a.com/page/number/" + std::to_string(i) + "\",0.5],";
  line.back() = ']';
  load("{\"url\":\"http://b.com/\"}\n" + line + "}\n{\"url\":\"http://c.com/\"}\n");
  EXPECT_EQ(info("urls"), 200003u);
  EXPECT_EQ(info("links"), 200000u);
  EXPECT_EQ(run({"db", "check", db()}).code, 0);
}

TEST_F(LoadTest, SettingsAreThoseOfTheFirstLoad) {
  const std::string page = "{\"url\":\"http://a.com/?b=2&a=1&utm_source=x&PHPSESSID=3\"}\n";
  load(page, {"--sort-query", "--strip-tracking", "--strip-sessions"});
  load(page);
  EXPECT_EQ(info("urls"), 1u);
  EXPECT_TRUE(contains(output_of({"db", "find", db(), "."}), " http://a.com/?a=1&b=2\n"));
  EXPECT_TRUE(contains(output_of({"db", "path", db(), "http://a.com/?b=2&a=1"}), " http://a.com/?a=1&b=2\n"));
}

TEST_F(LoadTest, SettingsThatCannotBeChangedAnyMoreAreAWarning) {
  const std::string page = "{\"url\":\"http://a.com/?b=2&a=1\"}\n";
  load(page);
  write_whole(path("lines"), page);
  const RunResult other = run({"db", "load", db(), path("lines"), "--sort-query"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_TRUE(contains(other.err, db() + " has settings of its own")) << other.err;
  EXPECT_EQ(run({"db", "load", db(), path("lines")}).err, "");
}

TEST_F(LoadTest, AcknowledgesEveryBatchAndTheEnd) {
  const std::string lines =
      "{\"url\":\"http://a.com/1\"}\n{\"url\":\"http://a.com/2\"}\n\nbad\n{\"url\":\"http://a.com/3\"}\n\n";
  for (const std::string durability : {"always", "interval", "none"}) {
    write_whole(path("lines"), lines);
    const RunResult result =
        run({"db", "load", db(), path("lines"), "--ack", "--batch", "2", "--durability", durability});
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(result.out.starts_with("acked 2\nacked 6\n3 pages")) << result.out;
  }
  const RunResult rest = run({"db", "load", db(), path("lines"), "--ack", "--from-line", "5", "--json"});
  EXPECT_EQ(rest.code, 0);
  EXPECT_TRUE(
      rest.out.starts_with("{\"acked\":6}\n{\"pages\":1,\"new_urls\":0,\"links\":0,\"refused_links\":0,\"lines\":6,"
                           "\"skipped_lines\":0,\"seconds\":"))
      << rest.out;
  const RunResult beyond = run({"db", "load", db(), path("lines"), "--ack", "--from-line", "100"});
  EXPECT_FALSE(contains(beyond.out, "acked")) << "a resumed load must not step back";
}

TEST_F(LoadTest, SecondProcessFindsTheStoreBusy) {
  RunningProgram first({"db", "load", db(), "-", "--ack"}, dir(), "");
  first.feed("{\"url\":\"http://a.com/\"}\n");
  ASSERT_TRUE(first.wait_for_output("acked 1\n")) << "a line is stored when no other follows it at once";
  fs::create_directory(path("second"));
  write_whole(path("empty"), "");
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"db", "info", db()}, {"db", "load", db(), "-"}, {"db", "check", db()}, {"db", "rebuild", db()}}) {
    const RunResult second = RunningProgram(args, path("second"), path("empty")).wait();
    EXPECT_EQ(second.code, 2);
    EXPECT_TRUE(contains(second.err, "another process has the store open")) << second.err;
  }
  first.feed("{\"url\":\"http://a.com/2\"}");
  first.end_of_input();
  EXPECT_EQ(first.wait().code, 0);
  EXPECT_EQ(info("crawled"), 2u);
}

TEST_F(LoadTest, InterruptFinishesTheBatchAndClosesTheStore) {
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningProgram load({"db", "load", db(), "-", "--ack"}, dir(), "");
    load.feed("{\"url\":\"http://a.com/" + std::to_string(signal) + "\"}\n");
    ASSERT_TRUE(load.wait_for_output("acked 1\n"));
    load.feed("{\"url\":\"http://a.com/half");
    load.signal(signal);
    const RunResult result = load.wait();
    EXPECT_EQ(result.code, 128 + signal) << result.err;
    EXPECT_EQ(result.err, "");
  }
  EXPECT_EQ(info("urls"), 2u);
  EXPECT_EQ(info("lsn"), info("checkpoint_lsn")) << "closed, not dropped";
  EXPECT_EQ(run({"db", "check", db()}).code, 0);
}

}  // namespace
}  // namespace aduana
