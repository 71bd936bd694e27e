// For tests: a server under attack. Whatever a test does to it, somebody who means well is answered meanwhile; at the
// end memory has stayed within what the test allows, no descriptor is left over, it stops in order, and the store is
// sound.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "serve/http/raw_client.h"
#include "serve_program.h"

namespace aduana {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;  // needs several times the memory
#else
inline constexpr bool kSanitized = false;
#endif

inline unsigned status_of(const std::string& answer) {
  return answer.size() < 12 ? 0 : static_cast<unsigned>(std::atoi(answer.c_str() + 9));
}
inline std::string body_of(const std::string& answer) {
  const size_t at = answer.find("\r\n\r\n");
  return at == std::string::npos ? "" : answer.substr(at + 4);
}
inline std::string get(const std::string& target) { return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n"; }
inline std::string post(const std::string& target, const std::string& body, const std::string& type = "a/json") {
  return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
// `text`, n times.
inline std::string times(size_t n, std::string_view text) {
  std::string all;
  all.reserve(n * text.size());
  for (size_t i = 0; i < n; ++i) all += text;
  return all;
}

// Reports pages and asks for them, one after the other, as long as it lives.
class Bystander {
 public:
  explicit Bystander(uint16_t port)
      : thread_([this, port] {
          RawClient client(port, 99);  // an address of its own
          while (!over_) serve_one(client);
        }) {}
  ~Bystander() {
    wait_for(1);
    over_ = true;
    thread_.join();
    EXPECT_EQ(wrong_, "");
  }

  // Until it was served so often from now on.
  void wait_for(int served) {
    const int enough = served_ + served;
    while (served_ < enough && !over_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  void serve_one(RawClient& client) {
    const std::string url = "http://bystander.com/" + std::to_string(served_);
    const std::string reported = client.ask(post("/crawled", "{\"url\":\"" + url + "\"}"));
    const std::string page = client.ask(get("/page?url=" + url));
    if (status_of(reported) != 201 || body_of(page).find("\"state\":\"done\"") == std::string::npos) {
      wrong_ = url + ": " + reported + page;
      over_ = true;
    }
    ++served_;
  }

  std::atomic<int> served_ = 0;
  std::atomic<bool> over_ = false;
  std::string wrong_;
  std::thread thread_;
};

class HostileTest : public ServeTest {
 protected:
  static constexpr uint64_t kMiB = 1 << 20;

  void SetUp() override {
    serve();
    idle_descriptors_ = descriptors();
    { Bystander warms_up(port_); }
    resident_ = memory("VmRSS");
    bystander_.emplace(port_);
  }

  void TearDown() override {
    bystander_.reset();
    expect_no_descriptors_left();
    EXPECT_LE(memory("VmHWM") - resident_, kSanitized ? UINT64_MAX : allowed_);
    const RunResult stopped = stop();
    EXPECT_EQ(stopped.code, 0) << stopped.err;
    EXPECT_EQ(run({"db", "check", db()}).code, 0);
  }

  RawClient client(uint8_t from = 1) { return RawClient(port_, from); }
  std::string ask(const std::string& request) { return client().ask(request); }

  // Of the server: VmRSS, VmHWM and so on, in bytes.
  uint64_t memory(const std::string& name) const {
    std::ifstream status("/proc/" + std::to_string(server_->pid()) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(name + ':')) return std::stoull(line.substr(name.size() + 1)) * 1024;
    }
    ADD_FAILURE() << "no " << name;
    return 0;
  }

  uint64_t allowed_ = 48 * kMiB;  // over what it had before: buffers of the threads, mostly
  std::optional<Bystander> bystander_;

 private:
  // Besides files of the store, which come and go as it grows.
  size_t descriptors() const {
    size_t n = 0;
    for (const auto& file : std::filesystem::directory_iterator("/proc/" + std::to_string(server_->pid()) + "/fd")) {
      std::error_code gone;
      const std::string target = std::filesystem::read_symlink(file.path(), gone).string();
      if (!gone && !target.starts_with(db())) ++n;
    }
    return n;
  }
  // The server has to notice first that clients have gone.
  void expect_no_descriptors_left() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (descriptors() != idle_descriptors_ && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(descriptors(), idle_descriptors_);
  }

  size_t idle_descriptors_ = 0;
  uint64_t resident_ = 0;
};

}  // namespace aduana
