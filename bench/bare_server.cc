#include "bare_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "server_process.h"

namespace aduana::bench {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace net = boost::asio;
using net::ip::tcp;

constexpr std::chrono::seconds kTimeOut{30};
constexpr uint64_t kLargestBody = 64 << 20;
constexpr size_t kReadAtOnce = 64 << 10;  // otherwise it is 512 bytes, and large bodies cost twice as much

class BareSession : public std::enable_shared_from_this<BareSession> {
 public:
  explicit BareSession(tcp::socket socket) : stream_(std::move(socket)) { buffer_.reserve(kReadAtOnce); }

  void read() {
    parser_.emplace();
    parser_->body_limit(kLargestBody);
    stream_.expires_after(kTimeOut);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, size_t) {
      if (!error) self->answer();
    });
  }

 private:
  void answer() {
    const auto& request = parser_->get();
    size_t size = 0;
    std::from_chars(request.target().data() + 1, request.target().data() + request.target().size(), size);
    response_ = {};
    response_.result(request.method() == http::verb::post ? http::status::created : http::status::ok);
    response_.set(http::field::content_type, "application/json");
    response_.keep_alive(request.keep_alive());
    response_.body().assign(size, ' ');
    response_.prepare_payload();
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code error, size_t) {
      if (!error && self->response_.keep_alive()) self->read();
    });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
};

void accept(net::io_context& io, tcp::acceptor& acceptor) {
  acceptor.async_accept(net::make_strand(io), [&](beast::error_code error, tcp::socket socket) {
    if (error) return;
    socket.set_option(tcp::no_delay(true), error);
    std::make_shared<BareSession>(std::move(socket))->read();
    accept(io, acceptor);
  });
}

}  // namespace

Status run_bare_server(unsigned threads) {
  net::io_context io;
  tcp::acceptor acceptor(io, tcp::endpoint(net::ip::address_v4::loopback(), 0));
  accept(io, acceptor);
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i) running.emplace_back([&io] { io.run(); });
  serve_until_interrupted(acceptor.local_endpoint().port());
  io.stop();
  for (std::thread& thread : running) thread.join();
  return {};
}

}  // namespace aduana::bench
