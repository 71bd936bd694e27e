// `aduana serve` and bodies and parameters that are wrong, deep, large, or many. What every test ends with stands in
// hostile_server.h.
#include <simdjson.h>

#include "hostile_server.h"

namespace aduana {
namespace {

using namespace std::literals;

constexpr size_t kMaxBody = 64 << 20;
// What simdjson takes to read a body, for each byte of it: places of what begins there, the tape, and strings.
constexpr size_t kToRead = 4 + 8 + 2;

constexpr const char* kPosts[] = {"/crawled", "/failed", "/released", "/seeds", "/host?key=bystander.com"};

TEST_F(HostileTest, NumbersThatAreNone) {
  for (const char* bad : {"-1", "9223372036854775808", "18446744073709551616", "abc", "", "1.5", "1e3", "0x10", "%00",
                          "%ff", "1%00", "NaN", "+1", "%2B1", "--1", "1,000", "\xd9\xa1"}) {
    for (const char* parameter : {"/request?n=", "/request?per_host=", "/best?n=", "/failures?n=", "/hosts?limit=",
                                  "/hosts?offset=", "/links?url=http://bystander.com/0&limit="}) {
      const std::string answer = ask(get(std::string(parameter) + bad));
      EXPECT_EQ(status_of(answer), 400u) << parameter << bad;
      EXPECT_NE(body_of(answer).find("must be a whole number"), std::string::npos) << answer;
    }
  }
  for (const char* bad : {"-1", "abc", "", "inf", "nan", "1e400", "0x1p3", "%00", "-0.001"}) {
    EXPECT_EQ(status_of(ask(get(std::string("/request?lease=") + bad))), 400u) << bad;
  }
  EXPECT_EQ(status_of(ask(get("/request?n=%"))), 400u);
  EXPECT_EQ(status_of(ask(get("/request?" + times(3000, "n=1&")))), 400u);
}

TEST_F(HostileTest, BodiesThatAreNotJson) {
  const std::string deep_list(100'000, '['), deep_object = times(100'000, "{\"a\":");
  for (const std::string& bad : {""s,
                                 " "s,
                                 "{"s,
                                 "}"s,
                                 "{]"s,
                                 "{\"url\""s,
                                 "{\"url\":"s,
                                 "{\"url\":\"http://a.com/"s,
                                 "{\"url\":\"http://a.com/\"}}"s,
                                 "{url:\"http://a.com/\"}"s,
                                 "{'url':'http://a.com/'}"s,
                                 "{\"url\":\"http://a.com/\",}"s,
                                 "nul"s,
                                 "\0"s,
                                 "{}\0"s,
                                 "{\"url\":\"http://a.com/\0\"}"s,
                                 "\xff\xfe{"s,
                                 "\xef\xbb\xbf\xef\xbb\xbf{}"s,
                                 "{\"url\":\"http://a.com/\xff\"}"s,
                                 "{\"url\":\"http://a.com/\xed\xa0\x80\"}"s,
                                 "{\"url\":\"http://a.com/\xc0\x80\"}"s,
                                 "{\"url\":\"http://a.com/\n\"}"s,
                                 "{\"url\":\"http://a.com/\\x\"}"s,
                                 "{\"url\":\"http://a.com/\\u12\"}"s,
                                 "{\"url\":\"http://a.com/\",\"score\":1e999}"s,
                                 "{\"url\":\"http://a.com/\",\"score\":01}"s,
                                 "{\"url\":\"http://a.com/\",\"score\":NaN}"s,
                                 "{\"url\":\"http://a.com/\",\"score\":" + std::string(100'000, '9') + "}",
                                 deep_list,
                                 deep_object,
                                 deep_list + std::string(100'000, ']'),
                                 "{\"url\":\"http://a.com/\",\"x\":" + deep_list + std::string(100'000, ']') + "}",
                                 deep_object + "1" + std::string(100'000, '}'),
                                 std::string(100'000, '"'),
                                 std::string(100'001, '"'),
                                 std::string(100'000, '\\'),
                                 times(100'000, "[{")}) {
    for (const char* path : kPosts) {
      const std::string answer = ask(post(path, bad));
      EXPECT_EQ(status_of(answer), 400u) << path << bad.substr(0, 60);
      EXPECT_TRUE(simdjson::validate_utf8(answer));
    }
  }
}

TEST_F(HostileTest, WrongTypes) {
  for (const char* value :
       {"1", "-1", "1e308", "true", "[]", "{}", "[[]]", "\"\"", "\"\\u0000\"", "18446744073709551615"}) {
    const std::string url = "{\"url\":\"http://a.com/\",";
    for (const char* field : {"score", "links", "time", "content_hash", "metadata", "fetch_time", "crawl", "queue",
                              "kind", "target", "reason", "priority", "block_for", "delay", "limit", "resume"}) {
      for (const char* path : kPosts) {
        for (const bool in_a_list : {false, true}) {
          std::string body = url + '"' + field + "\":" + value + '}';
          if (in_a_list) body = '[' + body + ']';
          const std::string answer = ask(post(path, body));
          EXPECT_TRUE(status_of(answer) < 300 || status_of(answer) == 400 || status_of(answer) == 404)
              << path << body << answer;
        }
      }
    }
    for (const char* path : kPosts) {
      EXPECT_EQ(status_of(ask(post(path, std::string("{\"url\":") + value + '}'))), 400u) << path << value;
    }
  }
}

TEST_F(HostileTest, WhatIsStrangeButJsonIsUnderstood) {
  const auto last = [&](const std::string& body) {
    EXPECT_EQ(status_of(ask(post("/crawled", body))), 201u) << body;
    const std::string answer = body_of(ask(get("/page?url=http://a.com/")));
    const size_t at = answer.find("\"metadata\":");
    return at == std::string::npos ? answer : answer.substr(at + 11, answer.find(",\"change_rate\"") - at - 11);
  };
  EXPECT_EQ(last(R"({"url":"http://a.com/","time":1,"metadata":"1","metadata":"2"})"), "\"2\"")
      << "the last one counts";
  EXPECT_EQ(last(R"({"url":"http://a.com/","time":2,"metadata":"\ud800 \udc00"})"), "\"\xef\xbf\xbd \xef\xbf\xbd\"");
  EXPECT_EQ(last(R"({"url":"http://a.com/","time":3,"metadata":"\u0000\"\\"})"), R"("\u0000\"\\")");
  EXPECT_EQ(last(R"({"url":"http://b.com/","url":"http://a.com/","time":4,"metadata":"3","x":{"y":[[[[[]]]]]}})"),
            "\"3\"");
  EXPECT_EQ(status_of(ask(get("/page?url=http://b.com/"))), 404u);
}

TEST_F(HostileTest, ALineThatIsBadLeavesTheOthersAlone) {
  const std::string good = "{\"url\":\"http://a.com/1\"}\n", after = "{\"url\":\"http://a.com/2\"}\n";
  for (const std::string& bad :
       {"{\"url\":\n"s, "]\n"s, "\xff\n"s, "\0\n"s, "{} {}\n"s, std::string(100'000, '[') + '\n'}) {
    const std::string answer = ask(post("/crawled", good + bad + after, "application/x-ndjson"));
    EXPECT_EQ(status_of(answer), 200u);
    EXPECT_NE(answer.find("{\"stored\":2,"), std::string::npos) << answer;
    EXPECT_NE(answer.find("\"results\":[{\"ok\":true},{\"ok\":false,"), std::string::npos) << answer;
  }
}

TEST_F(HostileTest, AMillionTinyThingsInOneRequest) {
  allowed_ += kToRead * 3'000'000 + 40 * kMiB;  // of one at a time, with 100,000 results: nothing stays of those before
  const std::string list = '[' + times(1'000'000, "{},") + "{}]", lines = times(1'000'000, "{}\n");
  for (const char* path : {"/crawled", "/failed", "/released", "/seeds"}) {
    EXPECT_EQ(status_of(ask(post(path, list))), 413u) << path;
    EXPECT_EQ(status_of(ask(post(path, lines))), 413u) << path;
    EXPECT_EQ(status_of(ask(post(path, lines, "application/x-ndjson"))), 413u) << path;
  }
  EXPECT_EQ(status_of(ask(post("/seeds", times(1'000'000, "x\n"), "text/plain"))), 413u);
  // As many as may be, and none of them any good.
  const std::string most = '[' + times(99'999, "0,") + "0]";
  for (const char* path : {"/crawled", "/failed", "/released", "/seeds"}) {
    const std::string answer = ask(post(path, most));
    EXPECT_EQ(status_of(answer), 200u) << path;
    EXPECT_TRUE(answer.ends_with("}]}")) << path;
  }
}

TEST_F(HostileTest, TheLargestBodiesOfTinyThings) {
  allowed_ += kMaxBody * (2 + 2 * kToRead);  // of two, each is read by a thread for large ones
  const std::string list = '[' + times(kMaxBody / 2 - 2, "0,") + "0]";
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back([&] { EXPECT_EQ(status_of(ask(post("/crawled", list))), 413u); });
  }
  for (std::thread& thread : clients) thread.join();
}

TEST_F(HostileTest, APageWithVeryManyLinks) {
  allowed_ += 192 * kMiB;  // of four million bytes, which become known pages
  std::string links;
  for (int i = 0; i < 200'000; ++i)
    links += ",\"http://h" + std::to_string(i % 1000) + ".com/" + std::to_string(i) + '"';
  const std::string begin = "{\"url\":\"http://a.com/\",\"links\":[";
  EXPECT_EQ(status_of(ask(post("/crawled", begin + links.substr(1) + "]}"))), 201u);
  EXPECT_NE(ask(get("/stats")).find("\"links\":200000,"), std::string::npos);
  const std::string too_many = begin + links.substr(1) + ",\"/one-more\"]}";
  EXPECT_EQ(status_of(ask(post("/crawled", too_many))), 413u);
  const std::string answer = ask(post("/crawled", "[{\"url\":\"http://b.com/\"}," + too_many + ']'));
  EXPECT_NE(answer.find("{\"stored\":1,"), std::string::npos) << answer;
  EXPECT_NE(answer.find("\"too_large\""), std::string::npos) << answer;
  EXPECT_EQ(status_of(ask(post("/crawled", begin + "],\"links\":[" + times(3'000'000, "\"a\",") + "\"a\"]}"))), 413u);
}

TEST_F(HostileTest, LargeBatchesFromManyClients) {
  allowed_ += 512 * kMiB + 2 * 5 * kMiB * kToRead;  // all bodies together, two of which are being read
  std::string lines;
  for (int i = 0; lines.size() < 5 * kMiB; ++i) {
    lines += "{\"url\":\"http://h" + std::to_string(i % 500) + ".com/" + std::to_string(i) + "\",\"links\":[" +
             times(20, "\"/a\",") + "\"/b\"]}\n";
  }
  std::vector<std::thread> clients;
  for (int i = 0; i < 6; ++i) {
    clients.emplace_back([&] {
      const std::string answer = ask(post("/crawled", lines, "application/x-ndjson"));
      EXPECT_EQ(status_of(answer), 201u) << answer.substr(0, 200);
    });
  }
  bystander_->wait_for(20);
  for (std::thread& thread : clients) thread.join();
}

}  // namespace
}  // namespace aduana
