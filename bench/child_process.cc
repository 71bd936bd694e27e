#include "child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <thread>

namespace aduana::bench {
namespace {

struct Identity {
  uid_t user;
  gid_t group;
};

Result<std::optional<Identity>> identity_of(const std::string& user) {
  if (user.empty()) return std::optional<Identity>();
  const passwd* entry = getpwnam(user.c_str());
  if (!entry) return Error(Code::not_found, fmt::format("there is no user {} to run a server as", user));
  return std::optional<Identity>(Identity{entry->pw_uid, entry->pw_gid});
}

// In the child; only calls that are safe between fork and exec.
[[noreturn]] void become(const char* const* argv, int output, const std::optional<Identity>& identity, int death_signal,
                         pid_t parent) {
  setsid();
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (const int null = open("/dev/null", O_RDONLY); null >= 0) dup2(null, STDIN_FILENO);
  if (chdir("/") != 0) _exit(126);
  if (identity)
    if (setgroups(0, nullptr) != 0 || setgid(identity->group) != 0 || setuid(identity->user) != 0) _exit(126);
  prctl(PR_SET_PDEATHSIG, death_signal);  // a change of user would have cleared it
  if (getppid() != parent) _exit(126);
  execvp(argv[0], const_cast<char* const*>(argv));
  _exit(127);
}

}  // namespace

Result<pid_t> start_child(const ChildOptions& options) {
  ADUANA_ASSIGN(const auto identity, identity_of(options.user));
  std::vector<const char*> argv;
  for (const std::string& word : options.command) argv.push_back(word.c_str());
  argv.push_back(nullptr);
  const std::string file = options.output.empty() ? "/dev/null" : options.output;
  const int output = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (output < 0) return Error(Code::io, fmt::format("{}: {}", file, std::strerror(errno)));
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(argv.data(), output, identity, options.signal_when_we_die, parent);
  close(output);
  if (child < 0) return Error(Code::io, fmt::format("{}: fork: {}", options.command[0], std::strerror(errno)));
  return child;
}

Result<int> wait_for_child(pid_t child, std::chrono::milliseconds longest) {
  const auto until = std::chrono::steady_clock::now() + longest;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended < 0 && errno != EINTR) return Error(Code::io, fmt::format("waitpid: {}", std::strerror(errno)));
    if (std::chrono::steady_clock::now() > until) return Error(Code::busy, "it still runs");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Status run_child(const ChildOptions& options, std::chrono::milliseconds longest) {
  ADUANA_ASSIGN(const pid_t child, start_child(options));
  const Result<int> code = wait_for_child(child, longest);
  if (!code) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return code.error().within(options.command[0]);
  }
  if (*code == 0) return {};
  return Error(Code::io, fmt::format("{} ended with code {}{}", options.command[0], *code,
                                     *code == 127 ? ": is it installed?" : ""));
}

}  // namespace aduana::bench
