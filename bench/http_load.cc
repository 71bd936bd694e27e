#include "http_load.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "interrupt.h"

namespace aduana::bench {
namespace {

constexpr std::chrono::seconds kPatience{60};  // without any answer

Error failed(const char* what) { return Error(Code::io, fmt::format("{}: {}", what, std::strerror(errno))); }

}  // namespace

HttpLoad::~HttpLoad() {
  for (const Connection& connection : connections_)
    if (connection.socket >= 0) close(connection.socket);
  if (epoll_ >= 0) close(epoll_);
}

Status HttpLoad::connect(uint16_t port, size_t connections) {
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_ < 0) return failed("epoll_create1");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connections_.resize(connections);
  for (Connection& connection : connections_) {
    connection.socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection.socket < 0) return failed("socket");
    if (::connect(connection.socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      return failed("connect");
    }
    const int on = 1;
    setsockopt(connection.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ADUANA_TRY(watch(connection, false, EPOLL_CTL_ADD));
  }
  return {};
}

Status HttpLoad::watch(Connection& connection, bool writing, int operation) {
  epoll_event event{};
  event.events = writing ? EPOLLIN | EPOLLOUT : EPOLLIN;
  event.data.u64 = static_cast<uint64_t>(&connection - connections_.data());
  if (epoll_ctl(epoll_, operation, connection.socket, &event) != 0) return failed("epoll_ctl");
  connection.wants_to_write = writing;
  return {};
}

Status HttpLoad::send(size_t number, std::string_view message, SteadyTime since) {
  Connection& connection = connections_[number];
  connection.free = false;
  connection.unsent = message;
  connection.since = since;
  ++under_way_;
  return write(connection);
}

Status HttpLoad::write(Connection& connection) {
  while (!connection.unsent.empty()) {
    const ssize_t n =
        ::send(connection.socket, connection.unsent.data(), connection.unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n < 0) return failed("send");
    connection.unsent.remove_prefix(static_cast<size_t>(n));
  }
  const bool more = !connection.unsent.empty();
  return more == connection.wants_to_write ? Status{} : watch(connection, more, EPOLL_CTL_MOD);
}

Status HttpLoad::read(size_t number, const OnAnswer& on_answer) {
  Connection& connection = connections_[number];
  char bytes[64 << 10];
  const ssize_t n = recv(connection.socket, bytes, sizeof bytes, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (n < 0) return failed("recv");
  if (n == 0) return Error(Code::closed, "the server closed a connection");
  if (connection.free) return Error(Code::corrupt, "the server sent something that nobody asked for");
  ADUANA_ASSIGN(const auto answer, connection.reader.add({bytes, static_cast<size_t>(n)}));
  if (!answer) return {};
  if (!connection.unsent.empty()) {
    return Error(Code::corrupt, fmt::format("the server answered {} before it had read all", answer->status));
  }
  connection.free = true;
  --under_way_;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - connection.since;
  return on_answer(number, *answer, took.count());
}

Status HttpLoad::poll(std::chrono::milliseconds longest, const OnAnswer& on_answer) {
  std::array<epoll_event, 64> events;
  const int n = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), static_cast<int>(longest.count()));
  if (interrupted()) return interruption();
  if (n < 0) return errno == EINTR ? Status{} : Status(failed("epoll_wait"));
  for (int i = 0; i < n; ++i) {
    const size_t number = events[static_cast<size_t>(i)].data.u64;
    const uint32_t what = events[static_cast<size_t>(i)].events;
    if (what & EPOLLOUT) ADUANA_TRY(write(connections_[number]));
    if (what & (EPOLLIN | EPOLLERR | EPOLLHUP)) ADUANA_TRY(read(number, on_answer));
  }
  return {};
}

Status HttpLoad::finish(const OnAnswer& on_answer) {
  auto last_answer = std::chrono::steady_clock::now();
  const auto note = [&](size_t connection, const HttpAnswer& answer, double seconds) {
    last_answer = std::chrono::steady_clock::now();
    return on_answer(connection, answer, seconds);
  };
  while (under_way_ > 0) {
    ADUANA_TRY(poll(std::chrono::milliseconds(100), note));
    if (std::chrono::steady_clock::now() - last_answer > kPatience) {
      return Error(Code::busy, "the server does not answer any more");
    }
  }
  return {};
}

}  // namespace aduana::bench
