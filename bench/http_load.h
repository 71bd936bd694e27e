// Connections that a load is sent over: kept alive, one request at a time on each, all served by the calling thread.
//
// A message is sent on a connection that is free and must stay where it is until the answer has come; poll() hands
// answers out. Any error is the end of the measurement. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "aduana/result.h"
#include "http_answer.h"

namespace aduana::bench {

using SteadyTime = std::chrono::steady_clock::time_point;

class HttpLoad {
 public:
  // `seconds`: since the message was sent, or since the time that was given with it.
  using OnAnswer = std::function<Status(size_t connection, const HttpAnswer& answer, double seconds)>;

  HttpLoad() = default;
  HttpLoad(const HttpLoad&) = delete;
  HttpLoad& operator=(const HttpLoad&) = delete;
  ~HttpLoad();

  // To a server on the loopback address.
  Status connect(uint16_t port, size_t connections);
  size_t size() const { return connections_.size(); }
  size_t under_way() const { return under_way_; }
  bool is_free(size_t connection) const { return connections_[connection].free; }

  Status send(size_t connection, std::string_view message, SteadyTime since = std::chrono::steady_clock::now());
  // Waits for answers, so long at most. The connection of an answer is free when it is handed out.
  Status poll(std::chrono::milliseconds longest, const OnAnswer& on_answer);
  // Until nothing is under way; answers may be the reason to send more.
  Status finish(const OnAnswer& on_answer);

 private:
  struct Connection {
    int socket = -1;
    bool free = true;
    bool wants_to_write = false;
    std::string_view unsent;
    SteadyTime since;
    AnswerReader reader;
  };
  Status write(Connection& connection);
  Status read(size_t number, const OnAnswer& on_answer);
  Status watch(Connection& connection, bool writing, int operation);

  int epoll_ = -1;
  size_t under_way_ = 0;
  std::vector<Connection> connections_;
};

}  // namespace aduana::bench
