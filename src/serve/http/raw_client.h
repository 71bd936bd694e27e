// For tests: a client that sends whatever it is told to, right or wrong, over a real socket.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace aduana {

class RawClient {
 public:
  // `from`: the last byte of the address that it comes from, 127.0.0.1 and so on.
  explicit RawClient(uint16_t port, uint8_t from = 1) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl((INADDR_LOOPBACK & ~0xffu) | from);
    const int later = 1;  // a port is chosen when the other end is known, so that there are enough of them
    ::setsockopt(fd_, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &later, sizeof later);
    ::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { close(); }
  RawClient(RawClient&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_), waiting_(std::move(other.waiting_)) {}
  RawClient& operator=(RawClient&&) = delete;

  bool connected() const { return connected_; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

  // Goes away without a word: the other end gets a reset.
  void reset() {
    const linger none{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close();
  }
  void finish_sending() { ::shutdown(fd_, SHUT_WR); }

  // False: the server does not take it any more.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(n));
    }
    return true;
  }

  // One answer with its body; what came of it if the server closes before, or takes too long.
  std::string response(bool has_body = true) {
    while (true) {
      if (const size_t head = waiting_.find("\r\n\r\n"); head != std::string::npos) {
        const size_t all = head + 4 + (has_body ? length_in(waiting_.substr(0, head)) : 0);
        if (waiting_.size() >= all) return take(all);
      }
      if (!receive()) return take(waiting_.size());
    }
  }
  std::string ask(std::string_view request) { return send(request) ? response() : ""; }

  // Until something of the next answer is there.
  void wait_for_answer() {
    pollfd ready{fd_, POLLIN, 0};
    ::poll(&ready, 1, kPatience);
  }

  // Whether the server closes the connection, in time.
  bool closed_by_server() {
    while (receive()) waiting_.clear();
    return at_end_;
  }

 private:
  static constexpr int kPatience = 120'000;  // ms: a machine may be busy, or the server full of checks

  bool receive() {
    pollfd ready{fd_, POLLIN, 0};
    if (::poll(&ready, 1, kPatience) <= 0) return false;
    char bytes[64 << 10];
    const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
    at_end_ = n <= 0;
    if (n > 0) waiting_.append(bytes, static_cast<size_t>(n));
    return n > 0;
  }
  static size_t length_in(const std::string& head) {
    const size_t at = head.find("Content-Length: ");
    return at == std::string::npos ? 0 : static_cast<size_t>(std::atoll(head.c_str() + at + 16));
  }
  std::string take(size_t n) {
    std::string taken = waiting_.substr(0, n);
    waiting_.erase(0, n);
    return taken;
  }

  int fd_;
  bool connected_ = false;
  bool at_end_ = false;
  std::string waiting_;
};

}  // namespace aduana
