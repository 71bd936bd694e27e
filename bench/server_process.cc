#include "server_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "child_process.h"
#include "interrupt.h"

namespace aduana::bench {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestStart{300'000};  // a store may have to compute its scores first
constexpr milliseconds kLongestStop{60'000};
constexpr milliseconds kLook{20};
constexpr milliseconds kLongestRest{3'000};
constexpr double kRestingShare = 0.05;  // of a core
constexpr std::string_view kListening = "listening on port ";

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

// 0: it has not said so yet.
uint16_t port_in(const std::string& log) {
  const size_t at = log.find(kListening);
  if (at == std::string::npos || log.find('\n', at) == std::string::npos) return 0;
  return static_cast<uint16_t>(std::stoi(log.substr(at + kListening.size())));
}

}  // namespace

Status ServerProcess::start(const std::vector<std::string>& arguments, const std::string& log) {
  log_ = log;
  std::filesystem::remove(log);  // what a server before this one said
  std::vector<std::string> command{"/proc/self/exe"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ADUANA_ASSIGN(process_, start_child({.command = command, .output = log, .user = {}}));
  const auto until = std::chrono::steady_clock::now() + kLongestStart;
  while ((port_ = port_in(text_of(log))) == 0) {
    if (interrupted()) return interruption();
    if (const auto code = wait_for_child(process_, milliseconds(0))) {
      process_ = -1;
      return ended(*code);
    }
    if (std::chrono::steady_clock::now() > until) return Error(Code::busy, "the server does not come up");
    std::this_thread::sleep_for(kLook);
  }
  return {};
}

Status ServerProcess::stop() {
  if (process_ < 0) return {};
  const pid_t process = process_;
  process_ = -1;
  kill(process, SIGTERM);
  const Result<int> code = wait_for_child(process, kLongestStop);
  if (!code) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    return code.error().within("stopping the server");
  }
  return *code == 0 ? Status{} : Status(ended(*code));
}

Error ServerProcess::ended(int code) const {
  constexpr size_t kTail = 800;
  std::string said = text_of(log_);
  if (said.size() > kTail) said.erase(0, said.size() - kTail);
  return Error(Code::io, fmt::format("the server ended with code {}\n{}", code, said));
}

Result<double> ServerProcess::cpu_seconds() const {
  clockid_t clock;
  timespec time{};
  if (const int error = clock_getcpuclockid(process_, &clock); error != 0) {
    return Error(Code::io, fmt::format("the CPU time of the server: {}", std::strerror(error)));
  }
  if (clock_gettime(clock, &time) != 0) return Error(Code::io, "the CPU time of the server can't be read");
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Result<double> ServerProcess::cpu_seconds_at_rest() const {
  ADUANA_ASSIGN(double before, cpu_seconds());
  for (milliseconds waited{0}; waited < kLongestRest; waited += 2 * kLook) {
    if (interrupted()) return interruption();
    std::this_thread::sleep_for(2 * kLook);
    ADUANA_ASSIGN(const double now, cpu_seconds());
    const double share = (now - before) / std::chrono::duration<double>(2 * kLook).count();
    before = now;
    if (share < kRestingShare) break;
  }
  return before;
}

void serve_until_interrupted(uint16_t port) {
  fmt::print("{}{}\n", kListening, port);
  std::fflush(stdout);
  while (!interrupted()) std::this_thread::sleep_for(milliseconds(20));
}

}  // namespace aduana::bench
