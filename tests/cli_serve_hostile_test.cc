// `aduana serve` and clients that mean it harm with HTTP itself: too much, too slow, too many, not quite HTTP. What
// every test ends with stands in hostile_server.h. (Bodies: cli_serve_hostile_body_test.cc.)
#include <sys/resource.h>

#include <random>

#include "hostile_server.h"

namespace aduana {
namespace {

using namespace std::literals;

constexpr size_t kMaxBody = 64 << 20, kMaxHeader = 16 << 10;  // as the server has them when nothing is set

TEST_F(HostileTest, AGigabyteThatIsAnnouncedIsRefusedAtOnce) {
  for (const char* length : {"1073741824", "67108865", "9223372036854775808", "18446744073709551615"}) {
    RawClient one = client();
    EXPECT_EQ(status_of(one.ask("POST /crawled HTTP/1.1\r\nContent-Length: "s + length + "\r\n\r\n")), 413u) << length;
    EXPECT_TRUE(one.closed_by_server());
  }
}

TEST_F(HostileTest, AGigabyteInChunksIsReadUpToTheLimit) {
  allowed_ += 2 * kMaxBody;  // what grows is copied
  RawClient one = client();
  ASSERT_TRUE(one.send("POST /crawled HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"));
  const std::string chunk = "100000\r\n" + std::string(kMiB, 'x') + "\r\n";
  size_t sent = 0;
  while (sent < 1024 && one.send(chunk)) ++sent;
  EXPECT_GE(sent, kMaxBody / kMiB);
  EXPECT_LT(sent, kMaxBody / kMiB + 32) << "besides what fits into the sockets' buffers";
  EXPECT_EQ(status_of(one.response()), 413u);
}

TEST_F(HostileTest, BodiesThatAreOnlyAnnouncedTakeNoMemory) {
  const uint64_t before = memory("VmSize");
  std::vector<RawClient> boasters;
  for (int i = 0; i < 200; ++i) {
    boasters.push_back(client());
    ASSERT_TRUE(boasters.back().send("POST /crawled HTTP/1.1\r\nContent-Length: 60000000\r\n\r\n{"));
  }
  bystander_->wait_for(20);
  const uint64_t most = kSanitized ? UINT64_MAX : 2'000 * kMiB;
  EXPECT_LT(memory("VmSize") - before, most) << "of 12 GB that were announced";
}

// They come from eight addresses, for one alone may have 2,000 connections.
TEST_F(HostileTest, TenThousandSlowConnections) {
  constexpr size_t kConnections = 10'000;
  rlimit files;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  if (files.rlim_max < kConnections + 200) GTEST_SKIP() << "a process may open " << files.rlim_max << " files only";
  files.rlim_cur = files.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);

  allowed_ += kConnections * kMaxHeader;
  const std::string request = "POST /crawled HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + std::string(100, 'x');
  const std::string body = "POST /crawled HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{";
  std::vector<RawClient> slow;
  slow.reserve(kConnections);
  for (size_t i = 0; i < kConnections; ++i) {
    slow.push_back(client(static_cast<uint8_t>(2 + i % 8)));
    ASSERT_TRUE(slow.back().connected()) << i;
    ASSERT_TRUE(slow.back().send(i % 4 ? request.substr(0, i % 100) : body));
  }
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < kConnections; ++i) {
      ASSERT_TRUE(slow[i].send(i % 4 ? request.substr(i % 100 + static_cast<size_t>(round), 1) : " "));
    }
    bystander_->wait_for(34);
  }
  EXPECT_NE(ask(get("/metrics")).find("aduana_http_connections 100"), std::string::npos)
      << "all of them, the bystander and who asks";
}

TEST_F(HostileTest, HeaderBombs) {
  std::string many = "GET /stats HTTP/1.1\r\n", cookies = many;
  for (int i = 0; i < 10'000; ++i) many += "X-" + std::to_string(i) + ": y\r\n";
  for (int i = 0; i < 1000; ++i) cookies += "Cookie: a" + std::to_string(i) + "=" + std::string(100, 'b') + "\r\n";
  const std::string line = "GET /stats HTTP/1.1\r\nX: ", empty = times(1000, "\r\n ");
  for (const std::string& bomb :
       {line + std::string(kMiB, 'x') + "\r\n\r\n", many + "\r\n", cookies + "\r\n",
        line + times(20'000, "a, ") + "\r\n\r\n", "GET /stats HTTP/1.1\r\n" + std::string(kMiB, 'x') + ": y\r\n\r\n",
        line + times(20'000, "\r\n a") + "\r\n\r\n", std::string(kMiB, 'x') + " / HTTP/1.1\r\n\r\n",
        "GET /" + std::string(kMiB, 'x') + " HTTP/1.1\r\n\r\n"}) {
    RawClient one = client();
    one.send(bomb);
    const unsigned status = status_of(one.response());
    EXPECT_TRUE(status == 431 || status == 400) << bomb.substr(0, 40) << status;
    EXPECT_TRUE(one.closed_by_server());
  }
  EXPECT_EQ(status_of(ask(line + std::string(kMaxHeader - 100, 'x') + "\r\n\r\n")), 200u) << "just within the limit";
}

TEST_F(HostileTest, HeadersWithoutAnEnd) {
  const std::string chunked = "POST /crawled HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& begin : {"GET /stats HTTP/1.1\r\nX: "s, "GET /"s, chunked + "1;", chunked + "1;a=\"",
                                   chunked + "0\r\nX: ", chunked + "00000000", chunked + "1\r\nx\r\n0;"}) {
    RawClient one = client();
    ASSERT_TRUE(one.send(begin));
    const std::string more(kMiB, begin.ends_with('0') ? '0' : 'x');
    size_t sent = 0;
    while (sent < 1024 && one.send(more)) ++sent;
    EXPECT_LT(sent, 32u) << begin << ": besides what fits into the sockets' buffers";
    const unsigned status = status_of(one.response());
    EXPECT_TRUE(status == 431 || status == 400) << begin << status;
  }
  // The same in lines, each of which ends.
  for (const std::string& begin : {"GET /stats HTTP/1.1\r\n"s, chunked + "0\r\n"}) {
    RawClient one = client();
    ASSERT_TRUE(one.send(begin));
    const std::string more = times(kMiB / 8, "Xx: yy\r\n");
    size_t sent = 0;
    while (sent < 1024 && one.send(more)) ++sent;
    EXPECT_LT(sent, 32u) << begin;
    EXPECT_EQ(status_of(one.response()), 431u) << begin;
  }
}

TEST_F(HostileTest, PathTricks) {
  for (const std::string& path : {"/../etc/passwd"s,
                                  "/../../../../etc/passwd"s,
                                  "/%2e%2e/etc/passwd"s,
                                  "/..%2fetc%2fpasswd"s,
                                  "/./stats"s,
                                  "//stats"s,
                                  "//etc/passwd"s,
                                  "/stats/"s,
                                  "/stats/.."s,
                                  "/stats%00"s,
                                  "/%73tats"s,
                                  "/stats;a=b"s,
                                  "/stats\\"s,
                                  "/console.js/../../etc/passwd"s,
                                  "/\xff\xfe"s,
                                  "/\xc0\xae\xc0\xae/etc/passwd"s,
                                  "/\xe2\x82\xac"s,
                                  "/%u002e"s,
                                  "/"s + std::string(8000, 'a'),
                                  "/"s + times(2000, "../"),
                                  "/"s + times(2000, "%2e"),
                                  "/STATS"s,
                                  "/stats#a"s}) {
    const std::string answer = ask(get(path));
    EXPECT_TRUE(status_of(answer) == 404 || status_of(answer) == 400) << path << ": " << answer;
    EXPECT_EQ(answer.find("root:"), std::string::npos);
  }
  // Targets that are no paths.
  for (const std::string& line : {"GET http://localhost/stats"s, "GET http://127.0.0.1:1/"s, "CONNECT example.com:80"s,
                                  "CONNECT /"s, "OPTIONS *"s, "GET *"s, "GET ?n=1"s, "GET stats"s,
                                  "GET file:///etc/passwd"s, "GET "s, "GET \0"s, "GET /sta\0ts"s}) {
    const unsigned status = status_of(ask(line + " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    EXPECT_TRUE(status == 400 || status == 405 || status == 404) << line << status;
  }
}

// Where two servers in a row would not agree on where a request ends, there must be no second one.
TEST_F(HostileTest, SmuggledRequestsAreNotSeen) {
  const std::string pause = "POST /pause HTTP/1.1\r\nContent-Length: 0\r\n\r\n";
  const std::string head = "POST /crawled HTTP/1.1\r\nHost: localhost\r\n";
  for (const std::string& shape : {"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"s,
                                   "Content-Length: 2, 3\r\n\r\n{}"s,
                                   "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: gzip\r\n\r\n"s,
                                   "Transfer-Encoding: identity\r\n\r\n"s,
                                   "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding:\r\n\r\n"s,
                                   "Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n"s,
                                   "Content-Length: +2\r\n\r\n{}"s,
                                   "Content-Length: 0x2\r\n\r\n{}"s,
                                   "Content-Length: -2\r\n\r\n{}"s,
                                   "Content-Length: 2 2\r\n\r\n{}"s,
                                   "Content-Length:\r\n\r\n"s,
                                   "Content-Length : 2\r\n\r\n{}"s,
                                   "Content-Length: 18446744073709551618\r\n\r\n{}"s,
                                   "Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n"s,
                                   "Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: chunked\r\n\r\n2\r\n{}}}0\r\n\r\n"s,
                                   "Transfer-Encoding: chunked\r\n\r\n2;\n\r\n{}\r\n0\r\n\r\n"s,
                                   "Transfer-Encoding: chunked\r\n\r\n\r\n\r\n"s,
                                   "Host: example.com\r\n\r\n"s,
                                   "X: a\nContent-Length: 2\r\n\r\n{}"s,
                                   "X: a\rContent-Length: 2\r\n\r\n{}"s,
                                   "X\r\n\r\n"s,
                                   ": a\r\n\r\n"s,
                                   "X: \0\r\n\r\n"s}) {
    RawClient one = client();
    ASSERT_TRUE(one.send(head + shape + pause));
    EXPECT_EQ(status_of(one.response()), 400u) << shape;
    EXPECT_EQ(one.response(), "") << shape;
    EXPECT_TRUE(one.closed_by_server()) << shape;
  }
  // Those of HTTP/1.0 know no chunks; a folded header is one header.
  RawClient old = client();
  ASSERT_TRUE(old.send("POST /crawled HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + pause));
  EXPECT_EQ(status_of(old.response()), 400u);
  EXPECT_EQ(old.response(), "");
  EXPECT_EQ(status_of(ask("GET /stats HTTP/1.1\r\nX: a\r\n Content-Length: 5\r\n\r\n")), 200u);
  EXPECT_NE(ask(get("/stats")).find("\"paused\":false"), std::string::npos);
}

TEST_F(HostileTest, OtherProtocolsAreRefused) {
  std::string random(1000, '\0');
  std::mt19937 generator(1);
  for (char& c : random) c = static_cast<char>(generator());
  const std::string tls("\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03", 11);
  for (const std::string& other :
       {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"s, tls + std::string(160, 'x') + "\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n\r\n"s, "EHLO example.com\r\n\r\n"s, "GET / HTTP/1.2\r\n\r\n"s,
        "GET / HTTP/3.0\r\n\r\n"s, "GET / HTTP/11\r\n\r\n"s, "GET / ICAP/1.0\r\n\r\n"s, "GET /\r\n\r\n"s,
        random + "\r\n\r\n"}) {
    RawClient one = client();
    EXPECT_EQ(status_of(one.ask(other)), 400u) << other;
    EXPECT_TRUE(one.closed_by_server());
  }
  // These say too little to be answered: the server waits, until nothing more can come.
  for (const std::string& begin : {"GET /\r\n"s, tls, "\0"s, "\n"s}) {
    RawClient one = client();
    ASSERT_TRUE(one.send(begin));
    one.finish_sending();
    EXPECT_TRUE(one.closed_by_server());
  }
  // And this is from a while ago.
  RawClient old = client();
  EXPECT_TRUE(old.ask("GET /healthz HTTP/1.0\r\n\r\n").starts_with("HTTP/1.0 200 OK\r\n"));
  EXPECT_TRUE(old.closed_by_server());
}

TEST_F(HostileTest, AThousandRequestsAtOnceAreAnsweredInOrder) {
  const std::pair<const char*, unsigned> kAsked[] = {
      {"/request?n=0", 200}, {"/nothing", 404}, {"/best", 200}, {"/request?n=x", 400}, {"/crawled", 405}};
  std::string all;
  for (size_t i = 0; i < 1000; ++i) all += get(kAsked[i % 5].first);
  RawClient one = client();
  std::thread sender([&] { one.send(all); });
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(status_of(one.response()), kAsked[i % 5].second) << i;
  sender.join();
  // Nobody reads the answers to these.
  for (int i = 0; i < 20; ++i) client().send(times(1000, get("/openapi.json")).substr(0, 60'000));
}

TEST_F(HostileTest, ClientsThatGoAwayWhileTheyAreAnswered) {
  const std::string seeds = post("/seeds", times(20'000, "x\n"), "text/plain");  // of which each gets an error
  allowed_ += 64 * kMiB;
  for (int i = 0; i < 100; ++i) {
    RawClient one = client();
    one.send(i % 2 ? seeds : get("/openapi.json"));
    if (i % 4 < 2) one.wait_for_answer();
    one.reset();
  }
}

TEST_F(HostileTest, ConnectionsOnWhichNothingHappensKeepNoAnswers) {
  const std::string seeds = post("/seeds", times(10'000, "x\n"), "text/plain");
  std::vector<RawClient> idle;
  size_t bytes = 0;
  for (int i = 0; i < 150; ++i) {
    idle.push_back(client());
    bytes += idle.back().ask(seeds).size();
  }
  EXPECT_GT(bytes, 2 * allowed_);
}

TEST_F(ServeTest, HandshakesThatAreNotFinishedHoldNobodyUp) {
  output_of({"passwd", path("passwords"), "ana", "--role", "admin"}, "secret\n");
  output_of({"cert", "--cert", path("cert.pem"), "--key", path("key.pem")});
  serve({"--passwds", path("passwords"), "--ssl-cert", path("cert.pem"), "--ssl-key", path("key.pem")});
  const auto healthy = [&] {
    return curl({"--cacert", path("cert.pem"), "https://localhost:" + std::to_string(port_) + "/healthz"}).out;
  };
  const std::string hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  std::vector<RawClient> slow;
  for (size_t i = 0; i < 500; ++i) {
    slow.emplace_back(port_);
    ASSERT_TRUE(slow.back().send(hello.substr(0, 1 + i % hello.size())));
  }
  EXPECT_EQ(healthy(), "ok\n");
  for (const std::string& bad :
       {get("/healthz"), std::string(kMaxBody / 64, '\0'), hello + std::string(1000, 'x'),
        "\x15\x03\x01\x00\x02\x02\x28"s, "\x16\x03\x01\xff\xff"s + std::string(70'000, '\xff')}) {
    RawClient one(port_);
    one.send(bad);
    EXPECT_TRUE(one.closed_by_server());
  }
  EXPECT_EQ(healthy(), "ok\n");
  EXPECT_EQ(stop().code, 0) << "without waiting for those that say nothing";
}

}  // namespace
}  // namespace aduana
