#include "postgres_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "child_process.h"
#include "interrupt.h"

namespace aduana::bench {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kLongestStart{60'000};
constexpr milliseconds kLongestStop{120'000};
constexpr const char* kServerUser = "postgres";

bool has_server(const fs::path& binaries) {
  return access((binaries / "postgres").c_str(), X_OK) == 0 && access((binaries / "initdb").c_str(), X_OK) == 0;
}

// Where the server's programs are: what pg_config says, or else the newest version in the folder that Debian uses.
Result<std::string> find_binaries() {
  if (FILE* pipe = popen("pg_config --bindir 2>/dev/null", "r")) {
    std::array<char, 4096> line{};
    const bool read = fgets(line.data(), line.size(), pipe) != nullptr;
    pclose(pipe);
    std::string path = read ? line.data() : "";
    if (!path.empty() && path.back() == '\n') path.pop_back();
    if (!path.empty() && has_server(path)) return path;
  }
  std::error_code error;
  int newest = 0;
  for (fs::directory_iterator it("/usr/lib/postgresql", error), end; !error && it != end; it.increment(error))
    if (has_server(it->path() / "bin")) newest = std::max(newest, std::atoi(it->path().filename().c_str()));
  if (newest > 0) return fmt::format("/usr/lib/postgresql/{}/bin", newest);
  return Error(Code::not_found, "no PostgreSQL server; install the package postgresql, or leave it out with --systems");
}

Result<int> free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return Error(Code::io, fmt::format("socket: {}", std::strerror(errno)));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(fd);
  if (!bound) return Error(Code::io, fmt::format("no free port: {}", std::strerror(errno)));
  return ntohs(address.sin_port);
}

Result<std::string> random_password() {
  std::array<unsigned char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error(Code::io, "getrandom gave nothing");
  std::string text;
  for (unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

Status write_text(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::app);
  out << text;
  out.close();
  return out ? Status{} : Status(Error(Code::io, path + " cannot be written"));
}

}  // namespace

Status PostgresServer::start(const std::string& dir, const PostgresOptions& options) {
  dir_ = dir;
  data_ = dir + "/data";
  log_ = dir + "/server.log";
  user_ = geteuid() == 0 ? kServerUser : "";
  ADUANA_ASSIGN(binaries_, find_binaries());
  ADUANA_ASSIGN(password_, random_password());
  ADUANA_ASSIGN(port_, free_port());
  ADUANA_TRY(prepare_folder());
  if (const Status made = make_cluster(); !made) return with_log(made.error());
  ADUANA_TRY(configure(options));
  if (const Status launched = launch(); !launched) return with_log(launched.error());
  return {};
}

// The folder becomes the server user's own, and its parent may be passed through.
Status PostgresServer::prepare_folder() {
  if (user_.empty()) return {};
  const passwd* entry = getpwnam(user_.c_str());
  if (!entry) return Error(Code::not_found, fmt::format("there is no user {} to run the server as", user_));
  const std::string parent = fs::path(dir_).parent_path().string();
  if (chown(dir_.c_str(), entry->pw_uid, entry->pw_gid) != 0 || chmod(parent.c_str(), 0711) != 0)
    return Error(Code::io, fmt::format("{}: {}", dir_, std::strerror(errno)));
  return {};
}

Status PostgresServer::make_cluster() {
  const std::string password_file = dir_ + "/password";
  ADUANA_TRY(write_text(password_file, password_ + "\n"));
  if (!user_.empty()) {
    const passwd* entry = getpwnam(user_.c_str());
    if (!entry || chown(password_file.c_str(), entry->pw_uid, entry->pw_gid) != 0)
      return Error(Code::io, fmt::format("{}: {}", password_file, std::strerror(errno)));
  }
  if (chmod(password_file.c_str(), 0600) != 0)
    return Error(Code::io, fmt::format("{}: {}", password_file, std::strerror(errno)));
  return run_child({.command = {binaries_ + "/initdb", "-D", data_, "-U", "postgres", "-E", "UTF8", "--locale=C",
                                "--auth=scram-sha-256", "--pwfile=" + password_file},
                    .output = log_,
                    .user = user_},
                   kLongestStart);
}

Status PostgresServer::configure(const PostgresOptions& options) const {
  std::string text = fmt::format(
      "listen_addresses = '127.0.0.1'\n"
      "port = {}\n"
      "unix_socket_directories = ''\n"
      "shared_buffers = '{}MB'\n"
      "max_wal_size = '4GB'\n"
      "checkpoint_timeout = '15min'\n"
      "wal_level = minimal\n"
      "max_wal_senders = 0\n"
      "wal_writer_delay = '{}ms'\n"
      "jit = off\n",
      port_, std::max<uint64_t>(16, options.shared_buffers_bytes >> 20), kSyncInterval.count());
  if (options.durability != Durability::always) text += "synchronous_commit = off\n";
  if (options.durability == Durability::none) text += "fsync = off\n";
  return write_text(data_ + "/postgresql.conf", text);
}

Status PostgresServer::launch() {
  ADUANA_ASSIGN(server_, start_child({.command = {binaries_ + "/postgres", "-D", data_},
                                      .output = log_,
                                      .user = user_,
                                      .signal_when_we_die = SIGINT}));  // its fast shutdown
  const auto until = std::chrono::steady_clock::now() + kLongestStart;
  while (PQping(connection().c_str()) != PQPING_OK) {
    if (interrupted()) return interruption();
    if (const auto ended = wait_for_child(server_, milliseconds(0))) {
      server_ = -1;
      return Error(Code::io, fmt::format("the PostgreSQL server ended with code {}", *ended));
    }
    if (std::chrono::steady_clock::now() > until) return Error(Code::busy, "the PostgreSQL server does not answer");
    std::this_thread::sleep_for(milliseconds(50));
  }
  return {};
}

std::string PostgresServer::connection() const {
  return fmt::format("host=127.0.0.1 port={} user=postgres password={} dbname=postgres connect_timeout=10", port_,
                     password_);
}

Status PostgresServer::stop() {
  if (server_ < 0) return {};
  const pid_t server = server_;
  server_ = -1;
  const Status asked = run_child(
      {.command = {binaries_ + "/pg_ctl", "-D", data_, "-m", "fast", "-W", "stop"}, .output = log_, .user = user_},
      kLongestStart);
  if (!asked) kill(server, SIGINT);
  const Result<int> ended = wait_for_child(server, kLongestStop);
  if (!ended) {
    kill(server, SIGQUIT);  // at once, without a checkpoint
    waitpid(server, nullptr, 0);
    return ended.error().within("stopping PostgreSQL");
  }
  return {};
}

// The error with the last lines of the server's log, which say why.
Error PostgresServer::with_log(const Error& error) const {
  constexpr size_t kTail = 800;
  std::ifstream in(log_);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (text.size() > kTail) text.erase(0, text.size() - kTail);
  return Error(error.code(), fmt::format("{}\n{}", error.message(), text));
}

}  // namespace aduana::bench
