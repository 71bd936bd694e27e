// The HTTP server: sockets, time-outs and limits; what to answer is the handler's.
//
// A few threads serve all connections. Of each, one request at a time is read, answered and written before the next one
// is looked at, so a client that doesn't read its answers is not read from either. Bodies and answers wait in bounded
// memory: what would go beyond is answered with 503. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "aduana/result.h"
#include "aduana/time.h"
#include "serve/http/message.h"

namespace boost::asio::ssl {
class context;
}

namespace aduana {

struct HttpLimits {
  uint32_t header_bytes = 16 << 10;
  uint64_t body_bytes = uint64_t{64} << 20;
  uint64_t all_bodies_bytes = uint64_t{512} << 20;  // being read, answered or written at a time
  uint32_t connections = 20'000;
  uint32_t connections_per_client = 2'000;  // by address
  double requests_per_client = 0;           // a second, by address; 0: any number
  Millis idle{60'000};                      // until a request is there with its headers
  Millis body{30'000};                      // and one second more for every slowest_body bytes
  uint64_t slowest_body = 64 << 10;
  Millis write{30'000};
  Millis stop{10'000};  // for what was begun, when the server is stopped
};

struct HttpOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 8000;  // 0: any that is free
  unsigned threads = 0;  // 0: as suits the machine
  HttpLimits limits;
};

struct HttpCounts {
  uint64_t connections = 0;  // now
  uint64_t accepted = 0, refused = 0;
  uint64_t requests = 0;
  uint64_t too_many = 0;         // of these, refused because their client asks too often
  uint64_t bytes_of_bodies = 0;  // now
};

class HttpServer {
 public:
  // Listens when it returns. `tls` null: plain HTTP. Both it and the handler must live longer than the server.
  static Result<std::unique_ptr<HttpServer>> start(const HttpOptions& options, HttpHandler& handler,
                                                   boost::asio::ssl::context* tls);
  virtual ~HttpServer() = default;  // stops

  virtual uint16_t port() const = 0;
  virtual HttpCounts counts() const = 0;
  // Takes no more connections, finishes the requests that have come, closes; what takes longer than limits.stop is cut.
  virtual void stop() = 0;
};

}  // namespace aduana
