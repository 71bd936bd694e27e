#include "password_prompt.h"

#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "base/os_error.h"
#include "interrupt.h"
#include "messages.h"

namespace aduana {
namespace {

constexpr size_t kMostBytes = 4096;  // more than a password may have, so that a longer one is told from it

// Nothing that is typed is shown while this lives.
class SilentTerminal {
 public:
  SilentTerminal() {
    stop_ = std::signal(SIGTSTP, SIG_IGN);
    quit_ = std::signal(SIGQUIT, SIG_IGN);
    silent_ = ::tcgetattr(STDIN_FILENO, &before_) == 0;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    silent.c_lflag |= ECHONL | ICANON;
    // What was typed before the question was seen by all.
    silent_ = silent_ && ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0;
  }
  ~SilentTerminal() {
    if (silent_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
    std::signal(SIGTSTP, stop_);
    std::signal(SIGQUIT, quit_);
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;

  bool silent() const { return silent_; }

 private:
  termios before_ = {};
  bool silent_ = false;
  void (*stop_)(int) = nullptr;
  void (*quit_)(int) = nullptr;
};

// One line of standard input without its end; null when a signal came. Byte by byte, since what follows is not ours.
Result<std::unique_ptr<Secret>> read_line() {
  auto line = std::make_unique<Secret>(std::string());
  line->text().reserve(kMostBytes + 1);  // so that it never moves and leaves a copy behind
  while (line->text().size() <= kMostBytes) {
    if (!wait_for_input(STDIN_FILENO)) return std::unique_ptr<Secret>();
    char byte;
    const ssize_t n = ::read(STDIN_FILENO, &byte, 1);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) return os_error("standard input", "read", errno);
    if (n == 0 || byte == '\n') break;
    line->text() += byte;
  }
  return line;
}

Result<std::unique_ptr<Secret>> ask(const std::string& question) {
  std::fputs(question.c_str(), stderr);
  std::fflush(stderr);
  auto line = read_line();
  if (!line || !*line) std::fputc('\n', stderr);  // the end of the question's line, which nobody typed
  return line;
}

}  // namespace

Result<std::unique_ptr<Secret>> ask_for_password(const std::string& user) {
  catch_interrupts();
  if (!::isatty(STDIN_FILENO)) return read_line();
  const SilentTerminal terminal;
  if (!terminal.silent()) return os_error("the terminal", "hide what is typed", errno);
  ADUANA_ASSIGN(auto password, ask("New password for " + printable(user) + ": "));
  if (!password || password->view().empty()) return password;
  ADUANA_ASSIGN(const auto again, ask("The same again: "));
  if (!again) return std::unique_ptr<Secret>();
  if (again->view() != password->view()) return Error(Code::invalid, "the two are not the same; nothing was changed");
  return password;
}

}  // namespace aduana
