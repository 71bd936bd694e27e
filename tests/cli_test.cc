// Asking a store: info, dump, find, links and path, and what every command does with a path that is no store.

#include <csignal>
#include <fstream>

#include "cli_runner.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::string> names_in(const fs::path& dir) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir)) names.push_back(entry.path().filename().string());
  return names;
}

// Every command that needs a store to be there, with DB as its folder.
std::vector<std::vector<std::string>> commands_on(const std::string& db) {
  return {{"db", "info", db},
          {"db", "dump", "info", db},
          {"db", "dump", "links", db},
          {"db", "find", db, "."},
          {"db", "links", db, "http://a.com/"},
          {"db", "path", db, "http://a.com/"},
          {"db", "check", db},
          {"db", "rebuild", db},
          {"db", "compact", db}};
}

constexpr const char* kCrawl =
    R"({"url":"http://a.com/","score":0.5,"time":1000,"links":[["/1",0.25],["http://b.org/",0.75]]}
{"url":"http://a.com/1","score":1,"time":1000.5,"links":[["http://a.com/",0],["/2",0],["http://a.com/1",0]]}
{"url":"http://a.com/","score":2,"time":2000.25,"content_hash":"x","links":[["/1",0],["/1",0],["http://b.org/",0]]}
{"url":"http://a.com/","score":2.5,"time":3000,"content_hash":"y","links":[["/1",0],["http://b.org/",0]]}
)";

class SmallCrawl : public CliTest {
 protected:
  SmallCrawl() { load(kCrawl); }

  // The hash that the program prints for a URL.
  std::string hash_of(const std::string& url) {
    const std::string line = output_of({"db", "find", db(), "^" + url + "$"});
    EXPECT_GT(line.size(), 17u) << url;
    return line.substr(0, 16);
  }
};

TEST_F(CliTest, AnUnknownCommandIsNamed) {
  EXPECT_EQ(run({"bogus"}).err, "aduana: there is no command bogus; see --help\n");
  EXPECT_EQ(run({"db", "bogus"}).err, "aduana: there is no command bogus; see --help\n");
  EXPECT_EQ(run({"bogus"}).code, 2);
  EXPECT_TRUE(contains(run({"db", "info"}).err, "DB is required")) << run({"db", "info"}).err;
}

TEST_F(CliTest, MissingStoreIsAnErrorAndNothingIsCreated) {
  for (const auto& command : commands_on(db())) {
    const RunResult result = run(command);
    EXPECT_EQ(result.code, 2) << command[1];
    EXPECT_EQ(result.out, "") << command[1];
    EXPECT_EQ(result.err, "aduana: " + db() + ": no Aduana store is here\n") << command[1];
    EXPECT_FALSE(fs::exists(db())) << command[1];
  }
}

TEST_F(CliTest, FolderThatIsNoStoreStaysAsItIs) {
  fs::create_directory(db());
  write_whole(db() + "/notes.txt", "mine");
  for (const auto& command : commands_on(db())) {
    EXPECT_EQ(run(command).code, 2) << command[1];
    EXPECT_EQ(names_in(db()), std::vector<std::string>{"notes.txt"}) << command[1];
  }
  const RunResult loaded = run({"db", "load", db(), "-"}, kCrawl);
  EXPECT_EQ(loaded.code, 2);
  EXPECT_TRUE(contains(loaded.err, "notes.txt")) << loaded.err;
  EXPECT_EQ(names_in(db()), std::vector<std::string>{"notes.txt"});
}

TEST_F(CliTest, FileIsNoStore) {
  write_whole(db(), "mine");
  auto commands = commands_on(db());
  commands.push_back({"db", "load", db(), "-"});
  for (const auto& command : commands) {
    const RunResult result = run(command);
    EXPECT_EQ(result.code, 2) << command[1];
    EXPECT_TRUE(contains(result.err, db())) << result.err;
    EXPECT_EQ(read_whole(db()), "mine");
  }
}

TEST_F(CliTest, EveryCommandHasHelpWithExitCodes) {
  for (const std::string command : {"load", "info", "dump", "find", "links", "path", "check", "rebuild", "compact"}) {
    const std::string help = output_of({"db", command, "--help"});
    EXPECT_TRUE(contains(help, "--json")) << command;
    EXPECT_TRUE(contains(help, "Exit codes:\n  0  fine\n  1  ")) << command;
    EXPECT_TRUE(contains(output_of({"db", "--help"}), command)) << command;
  }
}

TEST_F(CliTest, WrongArgumentsAreExitCode2) {
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{},
                                             {"db"},
                                             {"db", "nonsense"},
                                             {"db", "info"},
                                             {"db", "dump", "all", db()},
                                             {"db", "find", db()},
                                             {"db", "info", db(), "--nonsense"},
                                             {"db", "load", db(), "-", "--durability", "maybe"},
                                             {"db", "load", db(), "-", "--batch", "0"},
                                             {"db", "load", db(), "-", "--cache", "12Q"},
                                             {"db", "load", db(), "-", "--cache", "-1"}}) {
    const RunResult result = run(args);
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(result.err.starts_with("aduana: ")) << result.err;
    EXPECT_FALSE(fs::exists(db()));
  }
}

TEST_F(SmallCrawl, InfoCountsByState) {
  const std::string json = output_of({"db", "info", db(), "--json"});
  for (const std::string field :
       {"\"urls\":4,", "\"crawled\":2,", "\"links\":5,", "\"hosts\":2,", "\"known\":0,", "\"queued\":2,",
        "\"leased\":0,", "\"scheduled\":0,", "\"done\":2,", "\"gone\":0,", "\"lsn\":4,",
        "\"bytes\":", "\"bytes_by_file\":{", "\"MANIFEST\":", "\"pages.rec\":"}) {
    EXPECT_TRUE(contains(json, field)) << field << " in " << json;
  }
  const std::string table = output_of({"db", "info", db()});
  EXPECT_TRUE(contains(table, "urls                           4\n")) << table;
  EXPECT_TRUE(contains(table, "  queued                       2\n")) << table;
  EXPECT_TRUE(contains(table, "  journal/")) << table;
}

TEST_F(SmallCrawl, DumpInfoHasTheDocumentedColumns) {
  const std::string a = hash_of("http://a.com/"), one = hash_of("http://a.com/1"), b = hash_of("http://b.org/"),
                    two = hash_of("http://a.com/2");
  EXPECT_EQ(output_of({"db", "dump", "info", db()}), a + " 0 http://a.com/ 1000.000 3000.000 1 3 0 2.5\n" +       //
                                                         one + " 1 http://a.com/1 1000.500 1000.500 0 1 1 1\n" +  //
                                                         b + " 2 http://b.org/ 0 0 0 0 1 0.75\n" +                //
                                                         two + " 3 http://a.com/2 0 0 0 0 2 0\n");
  EXPECT_EQ(a.substr(0, 8), one.substr(0, 8)) << "pages of a host share the hash's upper half";
}

TEST_F(SmallCrawl, DumpLinksHasPairsOfIndices) {
  EXPECT_EQ(output_of({"db", "dump", "links", db()}), "0 2\n0 1\n1 0\n1 1\n1 3\n");
  EXPECT_EQ(output_of({"db", "dump", "links", db(), "--json"}),
            "{\"from\":0,\"to\":[2,1]}\n{\"from\":1,\"to\":[0,1,3]}\n");
}

TEST_F(SmallCrawl, DumpAsJsonHasEverything) {
  const std::string json = output_of({"db", "dump", "info", "--json", db()});
  EXPECT_TRUE(contains(json, "{\"idx\":0,\"hash\":\"" + hash_of("http://a.com/") +
                                 "\",\"url\":\"http://a.com/\",\"host\":\"a.com\",\"state\":\"done\",\"depth\":0,"
                                 "\"score\":2.5,\"linked_from\":null,\"n_crawls\":3,\"n_changes\":1,"
                                 "\"first_crawl\":1000.000,\"last_crawl\":3000.000,\"content_hash\":\"y\","
                                 "\"content_hash_hex\":\"79\"}\n"))
      << json;
  EXPECT_TRUE(contains(json, "\"linked_from\":1,\"linked_from_hash\":\"" + hash_of("http://a.com/1") + "\"")) << json;
}

TEST_F(SmallCrawl, DumpReplacesTheFileOnlyWhenItIsWhole) {
  const std::string expected = output_of({"db", "dump", "info", db()});
  write_whole(path("out"), "old");
  EXPECT_EQ(output_of({"db", "dump", "info", db(), path("out")}), "");
  EXPECT_EQ(read_whole(path("out")), expected);
  fs::create_symlink(path("out"), path("link"));
  output_of({"db", "dump", "links", db(), path("link")});
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_whole(path("out")), output_of({"db", "dump", "links", db()}));
  EXPECT_EQ(output_of({"db", "dump", "links", db(), "/dev/null"}), "");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));

  EXPECT_EQ(run({"db", "dump", "info", db(), path("no/such/folder/out")}).code, 2);
  EXPECT_EQ(run({"db", "dump", "info", db(), dir().string()}).code, 2);
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(run({"db", "dump", "info", db(), "/dev/full"}).code, 2);
  }
  for (const auto& name : names_in(dir())) EXPECT_FALSE(name.ends_with(".tmp")) << name;
}

TEST_F(SmallCrawl, FindMatchesAnywhereInTheUrl) {
  EXPECT_EQ(output_of({"db", "find", db(), "org|/2$"}),
            hash_of("http://b.org/") + " http://b.org/\n" + hash_of("http://a.com/2") + " http://a.com/2\n");
  EXPECT_EQ(output_of({"db", "find", db(), "--json", "ORG"}), "");
  EXPECT_EQ(output_of({"db", "find", db(), "--json", "(?i)ORG"}),
            "{\"idx\":2,\"hash\":\"" + hash_of("http://b.org/") + "\",\"url\":\"http://b.org/\"}\n");
  const RunResult bad = run({"db", "find", db(), "a("});
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(bad.err.starts_with("aduana: a(: not a regular expression: ")) << bad.err;
}

TEST_F(SmallCrawl, LinksInAndOutByUrlAndByHash) {
  const std::string a = hash_of("http://a.com/"), one = hash_of("http://a.com/1"), b = hash_of("http://b.org/"),
                    two = hash_of("http://a.com/2");
  const std::string expected = "out " + a + " http://a.com/\nout " + one + " http://a.com/1\nout " + two +
                               " http://a.com/2\nin " + a + " http://a.com/\nin " + one + " http://a.com/1\n";
  EXPECT_EQ(output_of({"db", "links", db(), "http://a.com/1"}), expected);
  EXPECT_EQ(output_of({"db", "links", db(), "HTTP://A.com:80/x/../1#here"}), expected);
  EXPECT_EQ(output_of({"db", "links", db(), one}), expected);
  EXPECT_EQ(output_of({"db", "links", db(), "http://b.org"}), "in " + a + " http://a.com/\n");
  EXPECT_EQ(output_of({"db", "links", db(), "http://b.org", "--json"}),
            "{\"page\":{\"idx\":2,\"hash\":\"" + b +
                "\",\"url\":\"http://b.org/\"},\"out\":[],\"in\":[{\"idx\":0,"
                "\"hash\":\"" +
                a + "\",\"url\":\"http://a.com/\"}]}\n");
}

TEST_F(SmallCrawl, PathLeadsFromTheSeedToThePage) {
  const std::string a = hash_of("http://a.com/"), one = hash_of("http://a.com/1"), two = hash_of("http://a.com/2");
  EXPECT_EQ(output_of({"db", "path", db(), two}),
            a + " http://a.com/\n" + one + " http://a.com/1\n" + two + " http://a.com/2\n");
  EXPECT_EQ(output_of({"db", "path", db(), "http://a.com"}), a + " http://a.com/\n");
  EXPECT_EQ(output_of({"db", "path", db(), "http://a.com", "--json"}),
            "{\"path\":[{\"idx\":0,\"hash\":\"" + a + "\",\"url\":\"http://a.com/\"}]}\n");
}

TEST_F(SmallCrawl, UnknownPageIsNamed) {
  for (const std::string command : {"links", "path"}) {
    for (const std::string page : {"http://nobody.example/", "0123456789abcdef"}) {
      const RunResult result = run({"db", command, db(), page});
      EXPECT_EQ(result.code, 1);
      EXPECT_EQ(result.out, "");
      EXPECT_TRUE(contains(result.err, page)) << result.err;
    }
    EXPECT_EQ(run({"db", command, db(), "neither"}).code, 2);
  }
}

TEST_F(SmallCrawl, AskingChangesNothing) {
  std::vector<std::string> before;
  for (const auto& entry : fs::recursive_directory_iterator(db())) {
    if (entry.is_regular_file()) before.push_back(entry.path().string() + read_whole(entry.path()));
  }
  for (const auto& command : commands_on(db())) {
    if (command[1] != "rebuild" && command[1] != "compact") output_of(command);
  }
  std::vector<std::string> after;
  for (const auto& entry : fs::recursive_directory_iterator(db())) {
    if (entry.is_regular_file()) after.push_back(entry.path().string() + read_whole(entry.path()));
  }
  EXPECT_TRUE(before == after);
}

TEST_F(CliTest, ReaderThatGoesAwayIsNoError) {
  std::string lines;
  for (int i = 0; i < 20000; ++i)
    lines += "{\"url\":\"http://a.com/a-page-with-a-rather-long-name/" + std::to_string(i) + "\"}\n";
  load(lines);
  write_whole(path("script"), "'" ADUANA_BINARY_DIR "/aduana' db dump info '" + db() + "' 2>'" + path("err") +
                                  "' | head -n 1 >'" + path("first") + "'\nexit ${PIPESTATUS[0]}\n");
  EXPECT_EQ(std::system(("bash '" + path("script") + "'").c_str()), 0);
  EXPECT_EQ(read_whole(path("err")), "");
  EXPECT_TRUE(contains(read_whole(path("first")), "/0 ")) << read_whole(path("first"));
}

}  // namespace
}  // namespace aduana
