// The server over real sockets: what it does with clients that are wrong, slow, many, or gone.
#include "serve/http/server.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "serve/http/raw_client.h"

namespace aduana {
namespace {

// Answers with what it was sent. Of /wait and /slow-wait the answer comes when the test lets go; /refused is refused
// unread; the answer to /large is more than sockets hold.
class Echo final : public HttpHandler {
 public:
  static constexpr size_t kLarge = 32 << 20;

  bool takes_long(const HttpHead& head) override { return head.path == "/slowly"; }
  std::optional<HttpResponse> refuse(HttpHead& head) override {
    if (head.path != "/refused") return std::nullopt;
    return error(head, 403, "forbidden", "no");
  }
  bool answers_slowly(const HttpHead& head) override { return head.path == "/slow-wait"; }
  HttpResponse answer(const HttpRequest& request) override {
    if (request.path == "/wait" || request.path == "/slow-wait") {
      std::unique_lock lock(mutex_);
      ++waiting_;
      changed_.notify_all();
      changed_.wait(lock, [&] { return let_go_; });
    }
    HttpResponse response;
    if (request.path == "/large") {
      response.body.resize(kLarge, 'x');
      return response;
    }
    response.body = std::string(request.query) + ':' + std::string(request.body);
    return response;
  }
  HttpResponse error(const HttpHead&, unsigned status, std::string_view code, const std::string& message) override {
    HttpResponse response;
    response.status = status;
    response.body = std::string(code) + ": " + message;
    return response;
  }

  void wait_until_asked() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ > 0; });
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    let_go_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool let_go_ = false;
};

class ServerTest : public ::testing::Test {
 protected:
  void start() {
    options_.port = 0;
    auto started = HttpServer::start(options_, echo_, nullptr);
    ASSERT_TRUE(started) << started.error().message();
    server_ = std::move(*started);
  }
  RawClient client() { return RawClient(server_->port()); }
  static std::string body_of(const std::string& response) {
    const size_t at = response.find("\r\n\r\n");
    return at == std::string::npos ? "" : response.substr(at + 4);
  }
  static unsigned status_of(const std::string& response) {
    return response.size() < 12 ? 0 : static_cast<unsigned>(std::atoi(response.c_str() + 9));
  }
  static std::string post(const std::string& body) {
    return "POST /x?q HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  HttpOptions options_;
  Echo echo_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(ServerTest, AnswersManyRequestsOnOneConnection) {
  start();
  RawClient one = client();
  for (int i = 0; i < 100; ++i) {
    const std::string response = one.ask(post(std::to_string(i)));
    ASSERT_EQ(status_of(response), 200u);
    ASSERT_EQ(body_of(response), "q:" + std::to_string(i));
  }
  EXPECT_EQ(server_->counts().requests, 100u);
  EXPECT_EQ(server_->counts().accepted, 1u);
}

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  start();
  RawClient one = client();
  std::string all;
  for (int i = 0; i < 200; ++i)
    all += i % 2 ? post(std::to_string(i)) : "GET /?" + std::to_string(i) + " HTTP/1.1\r\n\r\n";
  ASSERT_TRUE(one.send(all));
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(body_of(one.response()), i % 2 ? "q:" + std::to_string(i) : std::to_string(i) + ":");
  }
}

TEST_F(ServerTest, ClosesWhenTheClientWantsThat) {
  start();
  RawClient old = client();
  EXPECT_EQ(status_of(old.ask("GET / HTTP/1.0\r\n\r\n")), 200u);
  EXPECT_TRUE(old.closed_by_server());
  RawClient polite = client();
  EXPECT_EQ(status_of(polite.ask("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")), 200u);
  EXPECT_TRUE(polite.closed_by_server());
}

TEST_F(ServerTest, HeadIsGetWithoutTheBody) {
  start();
  RawClient one = client();
  ASSERT_TRUE(one.send("HEAD /?abc HTTP/1.1\r\n\r\n"));
  const std::string response = one.response(false);
  EXPECT_NE(response.find("Content-Length: 4\r\n"), std::string::npos) << response;
  EXPECT_EQ(body_of(one.ask("GET /?d HTTP/1.1\r\n\r\n")), "d:");
}

TEST_F(ServerTest, TellsToGoOnBeforeALargeBody) {
  start();
  RawClient one = client();
  ASSERT_TRUE(one.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"));
  EXPECT_EQ(one.response(), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(body_of(one.ask("abc")), ":abc");
}

TEST_F(ServerTest, ReadsBodiesInChunks) {
  start();
  RawClient one = client();
  EXPECT_EQ(body_of(one.ask("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")),
            ":abcde");
}

TEST_F(ServerTest, RefusesABodyThatIsTooLargeUnread) {
  options_.limits.body_bytes = 1000;
  start();
  RawClient one = client();
  EXPECT_EQ(status_of(one.ask("POST / HTTP/1.1\r\nContent-Length: 1073741824\r\n\r\n")), 413u);
  EXPECT_TRUE(one.closed_by_server());
  RawClient chunked = client();
  std::string body = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 20; ++i) body += "64\r\n" + std::string(100, 'x') + "\r\n";
  EXPECT_EQ(status_of(chunked.ask(body)), 413u);
  EXPECT_EQ(status_of(client().ask(post(std::string(1000, 'x')))), 200u);
}

TEST_F(ServerTest, RefusesHeadersThatAreTooLarge) {
  start();
  EXPECT_EQ(status_of(client().ask("GET /" + std::string(100'000, 'x') + " HTTP/1.1\r\n\r\n")), 431u);
  std::string many = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 10'000; ++i) many += "X-" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(status_of(client().ask(many + "\r\n")), 431u);
}

TEST_F(ServerTest, RefusesHeadersOfChunksThatAreTooLarge) {
  start();
  for (const std::string begin : {"1;", "0\r\nX: "}) {
    RawClient one = client();
    one.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + begin + std::string(200'000, 'x'));
    EXPECT_EQ(status_of(one.response()), 431u) << begin;
  }
}

TEST_F(ServerTest, RefusesWhatIsNoRequest) {
  start();
  for (const std::string bad :
       {"\r\n\r\n\r\nxx yy\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/3.7\r\n\r\n", "\x16\x03\x01\x02\x00\x01\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "GET http://x/ HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nbad header\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"}) {
    RawClient one = client();
    const unsigned status = status_of(one.ask(bad));
    EXPECT_TRUE(status == 400 || status == 413) << bad << status;
    EXPECT_TRUE(one.closed_by_server()) << bad;
  }
}

TEST_F(ServerTest, WhatIsRefusedUnreadDoesNotBecomeTheNextRequest) {
  start();
  RawClient one = client();
  ASSERT_TRUE(one.send("POST /refused HTTP/1.1\r\nContent-Length: 30\r\n\r\nGET /?smuggled HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(status_of(one.response()), 403u);
  EXPECT_EQ(one.response(), "");
  // Without a body nothing is left over.
  RawClient other = client();
  EXPECT_EQ(status_of(other.ask("GET /refused HTTP/1.1\r\n\r\n")), 403u);
  EXPECT_EQ(status_of(other.ask("GET / HTTP/1.1\r\n\r\n")), 200u);
}

TEST_F(ServerTest, WhatTakesLongToAdmitIsAnsweredAllTheSame) {
  start();
  RawClient one = client();
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ(body_of(one.ask("GET /slowly?" + std::to_string(i) + " HTTP/1.1\r\n\r\n")), std::to_string(i) + ":");
}

TEST_F(ServerTest, SlowClientsHoldNobodyUpAndAreLetGo) {
  options_.limits.idle = Millis{3000};
  options_.limits.body = Millis{3000};
  start();
  std::vector<RawClient> slow;
  for (int i = 0; i < 500; ++i) {
    slow.push_back(client());
    ASSERT_TRUE(slow.back().send(i % 2 ? "GET / HT" : "POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nabc"));
  }
  RawClient quick = client();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(status_of(quick.ask("GET / HTTP/1.1\r\n\r\n")), 200u);
  for (RawClient& one : slow) ASSERT_TRUE(one.closed_by_server());
}

TEST_F(ServerTest, ConnectionsAreLimitedInAllAndByClient) {
  options_.limits.connections_per_client = 3;
  start();
  std::vector<RawClient> some;
  for (int i = 0; i < 3; ++i) {
    some.push_back(client());
    ASSERT_EQ(status_of(some.back().ask("GET / HTTP/1.1\r\n\r\n")), 200u);
  }
  EXPECT_EQ(status_of(client().response()), 503u);
  EXPECT_EQ(server_->counts().refused, 1u);
  some.pop_back();
  // Until the server has noticed.
  unsigned status = 503;
  for (int i = 0; i < 1000 && status != 200; ++i) status = status_of(client().ask("GET / HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(status, 200u);
}

TEST_F(ServerTest, BodiesTogetherAreLimited) {
  options_.limits.all_bodies_bytes = 4 << 20;
  start();
  const std::string half(3 << 20, 'x');
  RawClient first = client();
  ASSERT_TRUE(first.send("POST /wait HTTP/1.1\r\nContent-Length: " + std::to_string(half.size()) + "\r\n\r\n" + half));
  echo_.wait_until_asked();
  RawClient second = client();
  second.send(post(half));
  EXPECT_EQ(status_of(second.response()), 503u);
  EXPECT_EQ(status_of(client().ask(post("small"))), 200u);
  echo_.let_go();
  EXPECT_EQ(status_of(first.response()), 200u);
  EXPECT_EQ(status_of(client().ask(post(half))), 200u);
}

TEST_F(ServerTest, AnswersThatNobodyReadsAreLimited) {
  options_.limits.all_bodies_bytes = 2 * Echo::kLarge + 1000;
  start();
  std::vector<RawClient> lazy;
  for (int i = 0; i < 2; ++i) {
    lazy.push_back(client());
    ASSERT_TRUE(lazy.back().send("GET /large HTTP/1.1\r\n\r\n"));
  }
  while (server_->counts().bytes_of_bodies < 2 * Echo::kLarge) std::this_thread::yield();
  EXPECT_EQ(status_of(client().ask("GET /large HTTP/1.1\r\n\r\n")), 503u);
  EXPECT_EQ(status_of(client().ask("GET /?small HTTP/1.1\r\n\r\n")), 200u);
  for (RawClient& one : lazy) EXPECT_EQ(body_of(one.response()).size(), Echo::kLarge);
  while (server_->counts().bytes_of_bodies) std::this_thread::yield();
}

TEST_F(ServerTest, LargeBodiesHoldNobodyUp) {
  options_.threads = 1;
  start();
  const std::string large(2 << 20, 'x');
  std::vector<RawClient> slow;
  for (int i = 0; i < 4; ++i) {
    slow.push_back(client());
    ASSERT_TRUE(
        slow.back().send("POST /wait HTTP/1.1\r\nContent-Length: " + std::to_string(large.size()) + "\r\n\r\n"));
    ASSERT_TRUE(slow.back().send(large));
  }
  echo_.wait_until_asked();
  RawClient other = client();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(body_of(other.ask("GET /?y HTTP/1.1\r\n\r\n")), "y:");
  echo_.let_go();
  for (RawClient& one : slow) EXPECT_EQ(body_of(one.response()).size(), 1 + large.size());
}

TEST_F(ServerTest, AnswersThatTakeLongHoldNobodyUp) {
  options_.threads = 1;
  start();
  std::vector<RawClient> slow;
  for (int i = 0; i < 8; ++i) {
    slow.push_back(client());
    ASSERT_TRUE(slow.back().send("GET /slow-wait?" + std::to_string(i) + " HTTP/1.1\r\n\r\n"));
  }
  echo_.wait_until_asked();
  RawClient other = client();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(body_of(other.ask("GET /?y HTTP/1.1\r\n\r\n")), "y:");
  echo_.let_go();
  for (size_t i = 0; i < slow.size(); ++i) EXPECT_EQ(body_of(slow[i].response()), std::to_string(i) + ":");
}

TEST_F(ServerTest, AClientThatAsksTooOftenIsToldToWait) {
  options_.limits.requests_per_client = 0.01;
  start();
  RawClient one = client();
  EXPECT_EQ(status_of(one.ask("GET / HTTP/1.1\r\n\r\n")), 200u);
  const std::string refused = one.ask("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(status_of(refused), 429u);
  EXPECT_NE(refused.find("Retry-After: "), std::string::npos) << refused;
  EXPECT_EQ(status_of(one.ask("GET / HTTP/1.1\r\n\r\n")), 429u) << "the connection stays";
  EXPECT_EQ(status_of(client().ask("GET / HTTP/1.1\r\n\r\n")), 429u) << "it is the address that counts";
  EXPECT_EQ(server_->counts().too_many, 3u);
}

TEST_F(ServerTest, BodiesThatAreOnlyAnnouncedKeepNobodyOut) {
  options_.limits.all_bodies_bytes = 1 << 20;
  start();
  std::vector<RawClient> boasters;
  for (int i = 0; i < 40; ++i) {
    boasters.push_back(client());
    ASSERT_TRUE(boasters.back().send("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nx"));
  }
  while (server_->counts().bytes_of_bodies < boasters.size()) std::this_thread::yield();
  EXPECT_EQ(status_of(client().ask(post(std::string(500'000, 'x')))), 200u);
}

TEST_F(ServerTest, ClientsThatGoAwayLeaveNothingBehind) {
  start();
  for (int i = 0; i < 50; ++i) {
    RawClient one = client();
    ASSERT_TRUE(one.send("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n" + std::string(100'000, 'x')));
  }
  for (int i = 0; i < 10'000 && server_->counts().connections; ++i) std::this_thread::yield();
  std::unique_ptr<HttpServer> stopped = std::move(server_);
  stopped->stop();
  EXPECT_EQ(stopped->counts().connections, 0u);
  EXPECT_EQ(stopped->counts().bytes_of_bodies, 0u);
}

TEST_F(ServerTest, StopFinishesWhatHasComeAndClosesTheRest) {
  start();
  RawClient idle = client();
  ASSERT_EQ(status_of(idle.ask("GET / HTTP/1.1\r\n\r\n")), 200u);
  RawClient busy = client();
  ASSERT_TRUE(busy.send("GET /wait?x HTTP/1.1\r\n\r\n"));
  echo_.wait_until_asked();
  std::thread stopper([&] { server_->stop(); });
  EXPECT_TRUE(idle.closed_by_server());
  echo_.let_go();
  const std::string response = busy.response();
  EXPECT_EQ(body_of(response), "x:");
  EXPECT_NE(response.find("Connection: close"), std::string::npos);
  EXPECT_TRUE(busy.closed_by_server());
  stopper.join();
}

TEST_F(ServerTest, ListeningTellsWhatIsWrong) {
  start();
  HttpOptions taken = options_;
  taken.port = server_->port();
  const auto second = HttpServer::start(taken, echo_, nullptr);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Code::busy);
  taken.address = "localhost";
  const auto name = HttpServer::start(taken, echo_, nullptr);
  ASSERT_FALSE(name);
  EXPECT_NE(name.error().message().find("localhost is not an IP address"), std::string::npos);
}

}  // namespace
}  // namespace aduana
