// `aduana serve` as its users meet it: through curl, with settings from everywhere, killed under load.

#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "serve/http/raw_client.h"
#include "serve_program.h"

namespace aduana {
namespace {

TEST_F(ServeTest, OldClientsAreServed) {
  write_whole(path("seeds"),
              "# where to begin\nhttp://www.reddit.com/r/MachineLearning/\nnot a url\nhttp://www.datanami.com/\n");
  serve({"--seeds", path("seeds")});
  EXPECT_EQ(curl({url("/readyz")}).out, "ok\n");
  const std::string crawled = curl({"-i", url("/crawled"), "-d",
                                    R"({ "url" : "http://scrapinghub.com", "score": 0.5,
                                         "links": [["http://scrapinghub.com/professional-services/", 1.0],
                                                   ["http://scrapinghub.com/platform/", 0.5]] })"})
                                  .out;
  EXPECT_EQ(crawled.substr(0, crawled.find('\r')), "HTTP/1.1 201 Created");
  const std::string next = curl({"-i", url("/request?n=3")}).out;
  EXPECT_EQ(next.substr(0, next.find('\r')), "HTTP/1.1 200 OK");
  EXPECT_NE(next.find("Content-Type: application/json\r\n"), std::string::npos);
  EXPECT_NE(next.find("\"http://www.datanami.com/\""), std::string::npos);
  const std::string bad = curl({"-i", url("/crawled"), "-d", "{\"score\": 1}"}).out;
  EXPECT_EQ(bad.substr(0, bad.find('\r')), "HTTP/1.1 400 Bad Request");
  EXPECT_NE(bad.find("\r\n\r\n\"url\" is missing\n"), std::string::npos);
  const RunResult stopped = stop();
  EXPECT_EQ(stopped.code, 0) << stopped.err;
  EXPECT_NE(stopped.err.find("seeds:3: URL \"not a url\""), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.err.find("2 seeds"), std::string::npos) << stopped.err;
  EXPECT_EQ(run({"db", "check", db()}).code, 0);
}

// The example messages of 2015 with their user, over HTTPS; only that here the certificate is verified.
TEST_F(ServeTest, OldClientsAreServedWithAUserAndTls) {
  output_of({"passwd", path("passwords"), "test", "--role", "spider"}, "123\n");
  output_of({"cert", "--cert", path("cert.pem"), "--key", path("key.pem")});
  write_whole(path("seeds"),
              "http://www.reddit.com/r/MachineLearning/\nhttp://www.datanami.com/\n"
              "http://venturebeat.com/tag/machine-learning/\n");
  serve({"--passwds", path("passwords"), "--ssl-cert", path("cert.pem"), "--ssl-key", path("key.pem"), "--seeds",
         path("seeds")});
  const std::string server = "https://localhost:" + std::to_string(port_);
  const auto ask = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"-i", "--http1.1", "--cacert", path("cert.pem")});
    return curl(args).out;
  };
  const auto status = [](const std::string& answer) { return answer.substr(0, answer.find('\r')); };

  const std::string next = ask({"-u", "test:123", server + "/request?n=3"});
  EXPECT_EQ(status(next), "HTTP/1.1 200 OK");
  EXPECT_NE(next.find("Content-Type: application/json\r\n"), std::string::npos) << next;
  EXPECT_EQ(next.substr(next.find("\r\n\r\n") + 4),
            R"(["http://www.reddit.com/r/MachineLearning/","http://www.datanami.com/",)"
            R"("http://venturebeat.com/tag/machine-learning/"])");
  const std::string crawled = ask({"-u", "test:123", server + "/crawled", "-d",
                                   R"({ "url" : "http://scrapinghub.com",
   "score": 0.5,
   "links": [["http://scrapinghub.com/professional-services/", 1.0],
        ["http://scrapinghub.com/platform/", 0.5],
        ["http://scrapinghub.com/pricing/", 0.8],
        ["http://scrapinghub.com/clients/", 0.9]] })"});
  EXPECT_EQ(status(crawled), "HTTP/1.1 201 Created");
  EXPECT_TRUE(crawled.ends_with("\r\n\r\n")) << crawled;
  const std::string bad = ask({"-u", "test:123", server + "/crawled", "-d", "{\"score\": 1}"});
  EXPECT_EQ(status(bad), "HTTP/1.1 400 Bad Request");
  EXPECT_TRUE(bad.ends_with("\r\n\r\n\"url\" is missing\n")) << bad;

  for (const std::vector<std::string>& who : {std::vector<std::string>{}, {"-u", "test:124"}, {"-u", "tset:123"}}) {
    std::vector<std::string> args = who;
    args.push_back(server + "/request");
    const std::string refused = ask(args);
    EXPECT_EQ(status(refused), "HTTP/1.1 401 Unauthorized");
    EXPECT_NE(refused.find("WWW-Authenticate: Basic realm="), std::string::npos) << refused;
  }
  EXPECT_EQ(status(ask({"-u", "test:123", server + "/stats"})), "HTTP/1.1 403 Forbidden");
  // Who doesn't know the certificate goes away, and without TLS there is nothing.
  EXPECT_EQ(curl({"-u", "test:123", server + "/request"}).code, 60);
  EXPECT_NE(curl({"-u", "test:123", url("/request")}).code, 0);
  EXPECT_EQ(stop().code, 0);
  EXPECT_EQ(run({"db", "check", db()}).code, 0);
}

TEST_F(ServeTest, UsersAreReadAgainWhenToldSo) {
  output_of({"passwd", path("passwords"), "old"}, "one\n");
  serve({"--passwds", path("passwords")});
  const auto status = [&](const std::string& user) {
    return curl({"-o", "/dev/null", "-w", "%{http_code}", "-u", user, url("/request")}).out;
  };
  EXPECT_EQ(status("old:one"), "200");
  output_of({"passwd", path("passwords"), "new"}, "two\n");
  output_of({"passwd", path("passwords"), "old", "--remove"});
  EXPECT_EQ(status("old:one"), "200") << "not told yet";
  server_->signal(SIGHUP);
  for (int i = 0; i < 100 && status("old:one") == "200"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(status("old:one"), "401");
  EXPECT_EQ(status("new:two"), "200");
  write_whole(path("passwords"), "this is no user\n");
  server_->signal(SIGHUP);
  EXPECT_EQ(status("new:two"), "200");
  const RunResult stopped = stop();
  EXPECT_EQ(stopped.code, 0);
  EXPECT_NE(stopped.err.find("the users stay as they were"), std::string::npos) << stopped.err;
}

TEST_F(ServeTest, WhatWasReportedIsThereAfterARestart) {
  serve();
  EXPECT_EQ(curl({url("/crawled"), "-d", R"({"url":"http://a.com/","links":["http://a.com/1"]})"}).code, 0);
  stop();
  serve();
  EXPECT_NE(curl({url("/page?url=http://a.com/")}).out.find("\"state\":\"done\""), std::string::npos);
  EXPECT_EQ(curl({url("/request")}).out, "[\"http://a.com/1\"]");
}

TEST_F(ServeTest, SettingsComeFromFlagsThenTheEnvironmentThenTheFile) {
  write_whole(path("server.toml"),
              "PAGE_DB_PATH = \"" + db() +
                  "\"\nDEFAULT_REQS = 1\nMIN_DELAY = \"0s\"\nMAX_IN_FLIGHT = 0\nSCORER = \"HitsScorer\"\n");
  const auto pages = [&] {
    const std::string out = curl({url("/request")}).out;
    return std::count(out.begin(), out.end(), '/') / 3;
  };
  const auto give = [&] {
    curl(
        {url("/crawled"), "-d",
         R"({"url":"http://a.com/","links":["http://a.com/1","http://a.com/2","http://a.com/3","http://a.com/4","http://a.com/5"]})"});
  };
  serve({"--config", path("server.toml")}, false);
  give();
  EXPECT_EQ(pages(), 1);
  EXPECT_NE(curl({url("/stats")}).out.find("\"scorer\":\"hits\""), std::string::npos);
  stop();
  ::setenv("ADUANA_DEFAULT_REQS", "2", 1);
  serve({"--config", path("server.toml")}, false);
  EXPECT_EQ(pages(), 2);
  stop();
  serve({"--config", path("server.toml"), "--default-reqs", "10", "--scorer", "None"}, false);
  EXPECT_EQ(pages(), 2);  // all that are left
  stop();
  ::unsetenv("ADUANA_DEFAULT_REQS");
}

TEST_F(ServeTest, WrongSettingsAreNamed) {
  const auto error = [&](const std::vector<std::string>& args) {
    std::vector<std::string> all{"serve"};
    all.insert(all.end(), args.begin(), args.end());
    const RunResult result = run(all);
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_NE(error({}).find("--dir"), std::string::npos);
  EXPECT_NE(error({"--dir", db(), "--port", "70000"}).find("--port is \"70000\": must be a number from 0 to 65535"),
            std::string::npos);
  EXPECT_NE(error({"--dir", db(), "--scorer", "best"}).find("--scorer is \"best\""), std::string::npos);
  EXPECT_NE(error({"--dir", db(), "--address", "0.0.0.0"}).find("aduana passwd"), std::string::npos);
  EXPECT_NE(error({"--dir", db(), "--address", "::"}).find("aduana passwd"), std::string::npos);
  EXPECT_NE(error({"--dir", db(), "--address", "[::]"}).find("not on ::;"), std::string::npos);
  EXPECT_NE(error({"--dir", db(), "--ssl-key", "k"}).find("SSL_CERT"), std::string::npos);
  EXPECT_NE(error({"--dir", db(), "--seeds", path("none")}).find("none"), std::string::npos);
  EXPECT_NE(error({"--dir", db(), "--config", path("none")}).find("none"), std::string::npos);
  for (const char* file : {"--seeds", "--config", "--freq-spec"}) {
    EXPECT_NE(error({"--dir", db(), file, path("")}).find(path("") + " is a folder, not a file"), std::string::npos);
  }
  for (const char* address : {"", "here", "1.2.3", "[::1"}) {
    EXPECT_NE(error({"--dir", db(), "--address", address}).find("must be an IP address"), std::string::npos);
  }
  write_whole(path("bad.spec"), "");
  for (const char* unused : {"--freq-scale", "--freq-margin"}) {
    EXPECT_NE(error({"--dir", db(), "--freq-spec", path("bad.spec"), unused, "1"}).find("mean nothing"),
              std::string::npos);
  }
  write_whole(path("bad.spec"), "http:// often\n");
  EXPECT_NE(error({"--dir", db(), "--freq-spec", path("bad.spec")}).find(path("bad.spec")), std::string::npos);
  write_whole(path("bad.toml"), "PORT = 1\n\nPROT = 2\n");
  EXPECT_NE(error({"--dir", db(), "--config", path("bad.toml")}).find("bad.toml:3: there is no setting PROT"),
            std::string::npos);
  write_whole(path("bad.toml"), "PORT = \n");
  EXPECT_NE(error({"--dir", db(), "--config", path("bad.toml")}).find("bad.toml:1:"), std::string::npos);
  write_whole(path("bad.toml"), "\nPORT = [1]\n");
  EXPECT_NE(error({"--dir", db(), "--config", path("bad.toml")}).find("bad.toml:2: PORT must be"), std::string::npos);
  write_whole(path("bad.toml"), "LEASE = \"soon\"\n");
  EXPECT_NE(error({"--dir", db(), "--config", path("bad.toml")}).find("bad.toml:1: LEASE is \"soon\""),
            std::string::npos);
}

TEST_F(ServeTest, WhatUsersMayNotMeanIsTold) {
  write_whole(path("seeds"), "http://a.com/\njavascript:void(0)\n");
  write_whole(path("nobody"), "");
  std::filesystem::permissions(path("nobody"), std::filesystem::perms::owner_read);
  serve({"--seeds", path("seeds"), "--passwds", path("nobody"), "--persist", "false"});
  const RunResult stopped = stop();
  EXPECT_EQ(stopped.code, 0) << stopped.err;
  for (const std::string said : {"1 of the seeds will not be crawled: only http and https are", "there are no users in",
                                 "PERSIST is false", "Deleted "}) {
    EXPECT_NE(stopped.err.find(said), std::string::npos) << stopped.err;
  }
}

TEST_F(ServeTest, TheHelpNamesEverySetting) {
  const std::string help = output_of({"serve", "--help"});
  for (const char* key :
       {"PAGE_DB_PATH",      "SCORER",       "USE_SCORES",   "SOFT_CRAWL_LIMIT", "HARD_CRAWL_LIMIT",
        "PAGE_RANK_DAMPING", "SEEDS",        "DEFAULT_REQS", "ADDRESS",          "PORT",
        "PASSWDS",           "SSL_KEY",      "SSL_CERT",     "MAX_CRAWL_DEPTH",  "SCORE_UPDATE_INTERVAL",
        "PERSIST",           "FREQ_DEFAULT", "FREQ_SCALE",   "FREQ_MARGIN",      "FREQ_SPEC",
        "MAX_N_CRAWLS"}) {
    EXPECT_NE(help.find(key), std::string::npos) << key;
  }
}

TEST_F(ServeTest, OddLimitsAreTaken) {
  for (const std::vector<std::string>& limits : {std::vector<std::string>{"--hard-crawl-limit", "0"},
                                                 {"--soft-crawl-limit", "0"},
                                                 {"--hard-crawl-limit", "0.1"}}) {
    serve(limits);
    EXPECT_EQ(stop().code, 0);
  }
  const RunResult wrong = run({"serve", "--dir", db(), "--soft-crawl-limit", "200"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("SOFT_CRAWL_LIMIT, 200, must not be above HARD_CRAWL_LIMIT, 100"), std::string::npos);
}

TEST_F(ServeTest, AStoreThatIsNotToPersistGoesAtTheEnd) {
  serve({"--persist", "false"});
  EXPECT_TRUE(std::filesystem::exists(db()));
  EXPECT_EQ(stop().code, 0);
  EXPECT_FALSE(std::filesystem::exists(db()));
  std::filesystem::create_directory(path("real"));
  std::filesystem::create_directory_symlink("real", db());
  serve({"--persist", "false"});
  EXPECT_EQ(stop().code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("real")));
}

// Four spiders report all the time, the server is killed again and again: what it said 201 to is there.
TEST_F(ServeTest, KilledUnderLoadNothingThatWasAcknowledgedIsLost) {
  const char* wanted = std::getenv("ADUANA_KILLS");
  const int rounds = wanted ? std::atoi(wanted) : 8;
  std::mutex mutex;
  std::set<std::string> acknowledged;
  for (int round = 0; round < rounds; ++round) {
    serve({"--durability", "always"});
    std::atomic<int> reports = 0;
    std::vector<std::thread> spiders;
    for (int spider = 0; spider < 4; ++spider) {
      spiders.emplace_back([&, spider] {
        RawClient client(port_);
        for (int i = 0;; ++i) {
          const std::string page =
              "http://h" + std::to_string(spider) + ".com/" + std::to_string(round) + '/' + std::to_string(i);
          const std::string body = "{\"url\":\"" + page + "\",\"links\":[\"" + page + "/a\",\"" + page + "/b\"]}";
          const std::string answer = client.ask(
              "POST /crawled HTTP/1.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
          if (!answer.starts_with("HTTP/1.1 201")) return;
          ++reports;
          const std::lock_guard lock(mutex);
          acknowledged.insert(page);
        }
      });
    }
    while (reports < 40 + 13 * round) std::this_thread::yield();
    server_->signal(SIGKILL);
    server_->wait();
    for (std::thread& spider : spiders) spider.join();
  }
  std::istringstream lines(output_of({"db", "dump", "info", db()}));
  std::string hash, idx, page, first, last, changes, crawls, depth, score;
  while (lines >> hash >> idx >> page >> first >> last >> changes >> crawls >> depth >> score) {
    if (crawls != "0") acknowledged.erase(page);
  }
  EXPECT_TRUE(acknowledged.empty()) << acknowledged.size() << " pages are missing, such as " << *acknowledged.begin();
  EXPECT_EQ(run({"db", "check", db()}).code, 0);
}

}  // namespace
}  // namespace aduana
