#include "serve/http/server.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>

#include "serve/http/session.h"

namespace aduana {

namespace {

using net::ip::tcp;

class Server final : public HttpServer {
 public:
  Server(const HttpOptions& options, HttpHandler& handler, net::ssl::context* tls)
      : options_(options), tls_(tls), shared_(options.limits, handler), acceptor_(net::make_strand(io_)), retry_(io_) {
    shared_.waiting = &waiting_;
    shared_.slow = &slow_;
    shared_.large = &large_;
  }
  ~Server() override { stop(); }

  Status listen() {
    beast::error_code error;
    const auto address = net::ip::make_address(options_.address, error);
    if (error) {
      return Error(Code::invalid, fmt::format("{} is not an IP address; to listen on all of them give 0.0.0.0 or ::",
                                              options_.address));
    }
    const tcp::endpoint endpoint(address, options_.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(net::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
    if (error) {
      const bool taken = error == net::error::address_in_use;
      return Error(taken ? Code::busy : Code::io,
                   fmt::format("can't listen on {} port {}: {}{}", options_.address, options_.port, error.message(),
                               taken ? "; another server has it, or choose another one with --port" : ""));
    }
    port_ = acceptor_.local_endpoint().port();
    accept();
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned threads = options_.threads ? options_.threads : std::max(4u, 2 * cores);
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { io_.run(); });
    return {};
  }

  uint16_t port() const override { return port_; }

  HttpCounts counts() const override {
    return {shared_.connections.size(), accepted_,        refused_,
            shared_.requests,           shared_.too_many, shared_.bytes_of_bodies};
  }

  void stop() override {
    if (threads_.empty()) return;
    shared_.stopping = true;
    net::post(acceptor_.get_executor(), [this] {
      beast::error_code ignored;
      acceptor_.close(ignored);
      retry_.cancel();
    });
    for (const auto& connection : shared_.connections.all()) connection->finish();
    shared_.connections.wait_until_empty(options_.limits.stop);
    for (const auto& connection : shared_.connections.all()) connection->cut();
    shared_.connections.wait_until_empty(options_.limits.stop);
    waiting_.join();
    slow_.join();
    large_.join();
    io_.stop();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void accept() {
    acceptor_.async_accept(net::make_strand(io_), [this](beast::error_code error, tcp::socket socket) {
      if (error == net::error::operation_aborted || shared_.stopping) return;
      if (error) return accept_later();  // no descriptor is free, most likely
      start(std::move(socket));
      accept();
    });
  }

  void accept_later() {
    retry_.expires_after(Millis(100));
    retry_.async_wait([this](beast::error_code error) {
      if (!error) net::post(acceptor_.get_executor(), [this] { accept(); });
    });
  }

  void start(tcp::socket socket) {
    beast::error_code error;
    const auto peer = socket.remote_endpoint(error);
    if (error) return;  // gone already
    std::string client = peer.address().to_string();
    if (!shared_.connections.enter(client)) {
      ++refused_;
      static constexpr std::string_view kFull =
          "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 1\r\nConnection: close\r\n"
          "Content-Length: 30\r\n\r\nthere are too many connections";
      socket.non_blocking(true, error);
      socket.send(net::buffer(kFull), 0, error);
      return;
    }
    ++accepted_;
    socket.set_option(tcp::no_delay(true), error);
    PlainStream stream(std::move(socket));
    if (tls_) {
      run(std::make_shared<Session<TlsStream>>(TlsStream(std::move(stream), *tls_), shared_, std::move(client)));
    } else {
      run(std::make_shared<Session<PlainStream>>(std::move(stream), shared_, std::move(client)));
    }
  }

  template <class S>
  void run(const std::shared_ptr<S>& session) {
    shared_.connections.add(session);
    session->run();
  }

  const HttpOptions options_;
  net::ssl::context* const tls_;
  SessionShared shared_;  // before io_: what is still to be called there when that goes is a session
  net::io_context io_;
  // The threads stay until stop() says so, also when there is nothing to wait for.
  net::executor_work_guard<net::io_context::executor_type> work_{io_.get_executor()};
  tcp::acceptor acceptor_;
  net::steady_timer retry_;
  net::thread_pool waiting_{1}, slow_{3}, large_{2};
  uint16_t port_ = 0;
  std::atomic<uint64_t> accepted_ = 0, refused_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpOptions& options, HttpHandler& handler,
                                                      boost::asio::ssl::context* tls) {
  auto server = std::make_unique<Server>(options, handler, tls);
  ADUANA_TRY(server->listen());
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace aduana
