// One connection: reads a request, has it answered, writes the answer, and again.
//
// Only server.cc and a fuzzer include this, for it takes long to compile. A session lives as long as something is under
// way on it; all of that runs on its strand, so it needs no lock.
#pragma once

#include <atomic>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include "serve/http/client_rates.h"
#include "serve/http/connections.h"
#include "serve/http/growing_body.h"
#include "serve/http/http_date.h"
#include "serve/http/server.h"

namespace aduana {

namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace net = boost::asio;

// What the sessions of a server share.
struct SessionShared {
  SessionShared(const HttpLimits& l, HttpHandler& h)
      : limits(l),
        handler(h),
        connections(l.connections, l.connections_per_client),
        rates(l.requests_per_client, clock) {}

  net::thread_pool* waiting = nullptr;  // for passwords: one at a time
  net::thread_pool* slow = nullptr;     // for answers that take long
  net::thread_pool* large = nullptr;    // for answers to large bodies

  const HttpLimits limits;
  HttpHandler& handler;
  const SystemClock clock;
  Connections connections;
  ClientRates rates;
  std::atomic<bool> stopping = false;
  std::atomic<uint64_t> requests = 0, too_many = 0, bytes_of_bodies = 0;
};

using PlainStream = beast::tcp_stream;
using TlsStream = beast::ssl_stream<beast::tcp_stream>;

template <class Stream>
class Session final : public Connection, public std::enable_shared_from_this<Session<Stream>> {
 public:
  // The place in `shared.connections` was taken for it; it leaves that.
  Session(Stream stream, SessionShared& shared, std::string client)
      : stream_(std::move(stream)),
        shared_(shared),
        client_(std::move(client)),
        buffer_(shared.limits.header_bytes + kReadMuchAtOnce) {
    buffer_.reserve(kReadAtOnce);
  }
  ~Session() override {
    release();
    shared_.connections.leave(client_, this);
  }

  void run() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      expires_after(shared_.limits.idle);
      stream_.async_handshake(net::ssl::stream_base::server, [self = self()](beast::error_code error) {
        if (!error) self->read_head();
      });
    } else {
      net::dispatch(stream_.get_executor(), [self = self()] { self->read_head(); });
    }
  }

  void finish() override {
    net::post(stream_.get_executor(), [self = self()] {
      if (self->idle_) self->close_socket();
    });
  }
  void cut() override {
    net::post(stream_.get_executor(), [self = self()] { self->close_socket(); });
  }

 private:
  using Parser = http::request_parser<GrowingBody>;

  std::shared_ptr<Session> self() { return this->shared_from_this(); }
  void expires_after(Millis time) { beast::get_lowest_layer(stream_).expires_after(time); }

  void read_head() {
    parser_.emplace();
    if (buffer_.capacity() > kReadAtOnce && buffer_.size() < kReadAtOnce) {
      buffer_.shrink_to_fit();
      buffer_.reserve(kReadAtOnce);
    }
    parser_->header_limit(shared_.limits.header_bytes);
    parser_->body_limit(shared_.limits.body_bytes);
    idle_ = true;
    if (shared_.stopping) return close_socket();
    expires_after(shared_.limits.idle);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = self()](beast::error_code error, size_t) { self->on_head(error); });
  }

  void on_head(beast::error_code error) {
    idle_ = false;
    head_ = {};
    head_.client = client_;
    if (error) return on_bad_request(error);
    shared_.requests.fetch_add(1, std::memory_order_relaxed);
    if (!fill_head()) {
      return refuse(400, "invalid", "the target of the request must be a path that begins with /");
    }
    if (parser_->get().count(http::field::host) > 1) return refuse(400, "invalid", "there is more than one Host");
    if (!has_known_coding()) {
      return refuse(400, "invalid", "of the transfer codings only chunked is taken, and that in HTTP/1.1");
    }
    const Millis wait = shared_.handler.counts(head_) ? shared_.rates.take(client_) : Millis{0};
    if (wait > Millis{0}) return on_too_many(wait);
    if (!shared_.handler.takes_long(head_)) return on_admission(shared_.handler.refuse(head_));
    net::post(*shared_.waiting, [self = self()] {
      auto refused = self->shared_.handler.refuse(self->head_);
      net::post(self->stream_.get_executor(),
                [self, refused = std::move(refused)]() mutable { self->on_admission(std::move(refused)); });
    });
  }

  void on_too_many(Millis wait) {
    shared_.too_many.fetch_add(1, std::memory_order_relaxed);
    HttpResponse response = shared_.handler.error(head_, 429, "too_many", "your address asks too often; wait a while");
    response.headers.emplace_back("Retry-After", std::to_string((wait.count() + 999) / 1000));
    write(std::move(response), !parser_->is_done());
  }

  void on_admission(std::optional<HttpResponse> refused) {
    if (refused) return write(std::move(*refused), !parser_->is_done());
    const auto length = parser_->content_length();
    if (length && *length > shared_.limits.body_bytes) return on_bad_request(http::error::body_limit);
    const uint64_t expected = length ? *length : shared_.limits.slowest_body;
    parser_->get().body().reserve(std::min<uint64_t>(expected, kFirstBodyBytes) + kBodyPadding);
    expires_after(shared_.limits.body + Millis(1000 * expected / shared_.limits.slowest_body));
    const bool asks = beast::iequals(parser_->get()[http::field::expect], "100-continue");
    if (!parser_->is_done() && asks) return say_continue();
    read_body();
  }

  void say_continue() {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    net::async_write(stream_, net::buffer(kContinue), [self = self()](beast::error_code error, size_t) {
      if (!error) self->read_body();
    });
  }

  void read_body() {
    if (parser_->is_done()) return answer();
    if (accounted_ >= kReadAtOnce) buffer_.reserve(kReadMuchAtOnce);
    http::async_read_some(stream_, buffer_, *parser_, [self = self()](beast::error_code error, size_t) {
      if (error) return self->on_bad_request(error);
      if (!self->account(self->parser_->get().body().size())) {
        return self->refuse(503, "busy", "too much is being sent to this server at the moment; try again later");
      }
      self->read_body();
    });
  }

  void answer() {
    net::thread_pool* others = nullptr;
    if (shared_.handler.answers_slowly(head_)) {
      others = shared_.slow;
    } else if (parser_->get().body().size() > kLargeBody) {
      others = shared_.large;
    }
    if (!others) return write(ask_handler(), false);
    net::post(*others, [self = self()] {
      net::post(self->stream_.get_executor(),
                [self, answer = self->ask_handler()]() mutable { self->write(std::move(answer), false); });
    });
  }

  HttpResponse ask_handler() {
    std::string& body = parser_->get().body();
    const size_t size = body.size();
    body.append(kBodyPadding, '\0');
    HttpRequest request{head_, std::string_view(body).substr(0, size)};
    try {
      return shared_.handler.answer(request);
    } catch (const std::bad_alloc&) {
      return shared_.handler.error(head_, 503, "busy", "not enough memory to answer this now");
    }
  }

  // A view of what the parser holds.
  bool fill_head() {
    const auto& message = parser_->get();
    switch (message.method()) {
      case http::verb::get:
        head_.method = Method::get;
        break;
      case http::verb::head:
        head_.method = Method::head;
        break;
      case http::verb::post:
        head_.method = Method::post;
        break;
      default:
        head_.method = Method::other;
    }
    const auto view = [](beast::string_view text) { return std::string_view(text.data(), text.size()); };
    const std::string_view target = view(message.target());
    const size_t question = std::min(target.find('?'), target.size());
    head_.path = target.substr(0, question);
    head_.query = target.substr(std::min(question + 1, target.size()));
    head_.authorization = view(message[http::field::authorization]);
    head_.accept = view(message[http::field::accept]);
    head_.host = view(message[http::field::host]);
    head_.origin = view(message[http::field::origin]);
    head_.fetch_site = view(message["Sec-Fetch-Site"]);
    head_.content_type = view(message[http::field::content_type]);
    return head_.path.starts_with('/');
  }

  // A body in another coding would have an end that we don't see: the rest of it must not become the next request.
  bool has_known_coding() const {
    const auto& message = parser_->get();
    const size_t codings = message.count(http::field::transfer_encoding);
    return codings == 0 || (codings == 1 && message.version() == 11 &&
                            beast::iequals(message[http::field::transfer_encoding], "chunked"));
  }

  void on_bad_request(beast::error_code error) {
    // The headers of chunks, and those behind the last one, have no limit of their own but what the buffer holds.
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return refuse(431, "too_large", "the headers of the request are too large");
    }
    if (error == http::error::body_limit) {
      return refuse(413, "too_large",
                    "the body is larger than " + std::to_string(shared_.limits.body_bytes) +
                        " bytes; send it in several requests");
    }
    const bool of_parser = error.category() == http::make_error_code(http::error::bad_method).category();
    if (of_parser && error != http::error::end_of_stream && error != http::error::partial_message) {
      return refuse(400, "invalid", "this is not a request of HTTP/1.1: " + error.message());
    }
    close_socket();  // gone, or too slow
  }

  // The connection can't be used any more afterwards: what was not read is still in it.
  void refuse(unsigned status, std::string_view code, const std::string& message) {
    write(shared_.handler.error(head_, status, code, message), true);
  }

  void write(HttpResponse answer, bool close) {
    release();
    if (!account(answer.body.size()) && answer.body.size() > kSmallAnswer) {
      answer = shared_.handler.error(head_, 503, "busy", "too many answers wait to be read; try again later");
      account(answer.body.size());
    }
    response_.emplace();
    auto& out = *response_;
    out.version(parser_->get().version() == 10 ? 10 : 11);
    out.result(answer.status);
    out.set(http::field::date, http_date());
    if (!answer.content_type.empty()) out.set(http::field::content_type, answer.content_type);
    for (const auto& [name, value] : answer.headers) out.set(name, value);
    out.keep_alive(!close && !answer.close && !shared_.stopping && parser_->is_done() && parser_->keep_alive());
    const size_t length = answer.body.size();
    if (head_.method != Method::head) out.body() = std::move(answer.body);
    out.content_length(length);
    expires_after(shared_.limits.write);
    http::async_write(stream_, out, [self = self()](beast::error_code error, size_t) {
      if (error) return;
      const bool stays = self->response_->keep_alive();
      self->response_.reset();
      self->release();
      stays ? self->read_head() : self->close_gently();
    });
  }

  // Says that nothing more comes, and waits a moment for the client to have read it before the socket goes.
  void close_gently() {
    beast::error_code ignored;
    beast::get_lowest_layer(stream_).socket().shutdown(net::ip::tcp::socket::shutdown_send, ignored);
    expires_after(shared_.stopping ? kLingerAtStop : kLinger);
    drain(0);
  }
  void drain(size_t drained) {
    if (drained > kMostDrained) return close_socket();
    beast::get_lowest_layer(stream_).async_read_some(net::buffer(drained_),
                                                     [self = self(), drained](beast::error_code error, size_t n) {
                                                       if (!error) self->drain(drained + n);
                                                     });
  }
  void close_socket() { beast::get_lowest_layer(stream_).close(); }

  // That the body, or the answer, now has so many bytes. False: all of them together are more than may be.
  bool account(uint64_t bytes) {
    const uint64_t before = std::exchange(accounted_, bytes);
    return shared_.bytes_of_bodies.fetch_add(bytes - before) + (bytes - before) <= shared_.limits.all_bodies_bytes;
  }
  // The body goes when it is answered, not when the answer was read.
  void release() {
    if (parser_) std::string().swap(parser_->get().body());
    account(0);
  }

  // Room for the padding, too, without which most bodies would be copied once more; the room is not used before they
  // come.
  static constexpr size_t kFirstBodyBytes = 1 << 20;
  // A read takes as much as the buffer has room for: little of those who send little, for there may be many of them.
  static constexpr size_t kReadAtOnce = 4 << 10, kReadMuchAtOnce = 64 << 10;
  static constexpr size_t kLargeBody = 1 << 20;    // from here on an answer may hold others up
  static constexpr size_t kSmallAnswer = 4 << 10;  // that can be given in any case
  static constexpr Millis kLinger{2000}, kLingerAtStop{100};
  static constexpr size_t kMostDrained = 256 << 10;

  Stream stream_;
  SessionShared& shared_;
  const std::string client_;
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::optional<http::response<http::string_body>> response_;
  HttpHead head_;
  std::array<char, 4096> drained_;
  uint64_t accounted_ = 0;  // bytes of this body, or its answer, in shared_.bytes_of_bodies
  bool idle_ = true;        // no request is under way
};

}  // namespace aduana
