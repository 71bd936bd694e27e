// The load against the real server: every message gets its own answer, however large either is.
#include "http_load.h"

#include <gtest/gtest.h>

#include "crawl_messages.h"
#include "serve/http/server.h"

namespace aduana::bench {
namespace {

// Answers with what was sent.
class Echo final : public HttpHandler {
 public:
  std::optional<HttpResponse> refuse(HttpHead&) override { return std::nullopt; }
  bool takes_long(const HttpHead&) override { return false; }
  bool answers_slowly(const HttpHead&) override { return false; }
  HttpResponse answer(const HttpRequest& request) override {
    HttpResponse response;
    response.body = request.body;
    return response;
  }
  HttpResponse error(const HttpHead&, unsigned status, std::string_view, const std::string&) override {
    HttpResponse response;
    response.status = status;
    return response;
  }
};

class HttpLoadTest : public testing::Test {
 protected:
  void SetUp() override {
    HttpOptions options;
    options.port = 0;
    auto started = HttpServer::start(options, echo_, nullptr);
    ASSERT_TRUE(started) << started.error().message();
    server_ = std::move(*started);
  }

  Echo echo_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpLoadTest, EveryMessageGetsItsAnswer) {
  HttpLoad load;
  ASSERT_TRUE(load.connect(server_->port(), 5));
  std::vector<std::string> bodies, messages;
  for (size_t i = 0; i < 60; ++i) {
    bodies.push_back(std::string(i % 20 == 0 ? 30'000'000 + i : i, static_cast<char>('a' + i % 26)));
    messages.push_back(post_message("/", kJson, bodies.back()));
  }
  size_t next = 0;
  std::vector<size_t> sent(5);
  const auto send = [&](size_t connection) -> Status {
    if (next == messages.size()) return {};
    sent[connection] = next;
    return load.send(connection, messages[next++]);
  };
  size_t answers = 0;
  for (size_t c = 0; c < load.size(); ++c) ASSERT_TRUE(send(c));
  const Status done = load.finish([&](size_t connection, const HttpAnswer& answer, double seconds) {
    EXPECT_TRUE(load.is_free(connection));
    EXPECT_EQ(answer.status, 200u);
    EXPECT_TRUE(answer.body == bodies[sent[connection]]) << sent[connection];
    EXPECT_GT(seconds, 0);
    ++answers;
    return send(connection);
  });
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_EQ(answers, messages.size());
  EXPECT_EQ(load.under_way(), 0u);
}

TEST_F(HttpLoadTest, TimeCountsFromWhenAMessageWasDue) {
  HttpLoad load;
  ASSERT_TRUE(load.connect(server_->port(), 1));
  const std::string message = get_message("/");
  ASSERT_TRUE(load.send(0, message, std::chrono::steady_clock::now() - std::chrono::hours(1)));
  double took = 0;
  ASSERT_TRUE(load.finish([&](size_t, const HttpAnswer&, double seconds) {
    took = seconds;
    return Status{};
  }));
  EXPECT_GT(took, 3600);
}

TEST_F(HttpLoadTest, AServerThatGoesIsAnError) {
  HttpLoad load;
  ASSERT_TRUE(load.connect(server_->port(), 1));
  server_->stop();
  const std::string message = get_message("/");
  const Status sent = load.send(0, message);
  const Status done = sent ? load.finish([](size_t, const HttpAnswer&, double) { return Status{}; }) : sent;
  EXPECT_FALSE(done);
}

}  // namespace
}  // namespace aduana::bench
