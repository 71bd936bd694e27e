#include "cli_runner.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace aduana {

namespace fs = std::filesystem;

std::string read_whole(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

void write_whole(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

RunningProgram::RunningProgram(const std::vector<std::string>& args, const fs::path& dir, const std::string& in,
                               const std::string& program_name)
    : out_(dir / "stdout"), err_(dir / "stderr") {
  // A test that feeds a program which has ended learns that from its exit code.
  std::signal(SIGPIPE, SIG_IGN);
  const std::string program = program_name.starts_with('/') ? program_name : ADUANA_BINARY_DIR "/" + program_name;
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const auto& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int ends[2] = {-1, -1};
  if (in.empty()) {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  }
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_.c_str(), kWrite, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_.c_str(), kWrite, 0600);
  const int error = ::posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (ends[0] >= 0) ::close(ends[0]);
  input_ = ends[1];
  if (error != 0) throw std::runtime_error("cannot run " + program);
}

RunningProgram::~RunningProgram() {
  end_of_input();
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
}

void RunningProgram::feed(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(input_, text.data() + at, text.size() - at);
    if (n <= 0) return;
    at += static_cast<size_t>(n);
  }
}

void RunningProgram::end_of_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

void RunningProgram::signal(int number) {
  if (pid_ > 0) ::kill(pid_, number);
}

bool RunningProgram::exited() {
  if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
  return pid_ < 0;
}

RunResult RunningProgram::wait() {
  if (pid_ > 0) ::waitpid(pid_, &status_, 0);
  pid_ = -1;
  const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return {code, read_whole(out_), read_whole(err_)};
}

std::string RunningProgram::output() const { return read_whole(out_); }

bool RunningProgram::wait_for_output(const std::string& text, std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < end) {
    const bool over = exited();
    if (output().find(text) != std::string::npos) return true;
    if (over) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

CliTest::CliTest() {
  std::string pattern = (fs::temp_directory_path() / "aduana-cli-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
  dir_ = pattern;
  db_ = path("db");
}

CliTest::~CliTest() {
  std::error_code ignored;
  fs::remove_all(dir_, ignored);
}

RunResult CliTest::run(const std::vector<std::string>& args, const std::string& input) {
  write_whole(dir_ / "stdin", input);
  return RunningProgram(args, dir_, path("stdin")).wait();
}

std::string CliTest::output_of(const std::vector<std::string>& args, const std::string& input) {
  const RunResult result = run(args, input);
  std::string command;
  for (const auto& arg : args) command += arg + ' ';
  EXPECT_EQ(result.code, 0) << command << '\n' << result.out << result.err;
  return result.out;
}

void CliTest::load(const std::string& lines, const std::vector<std::string>& options) {
  std::vector<std::string> args = {"db", "load", db(), "-"};
  args.insert(args.end(), options.begin(), options.end());
  EXPECT_EQ(run(args, lines).err, "");
}

}  // namespace aduana
