#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace aduana {
namespace {

constexpr std::chrono::milliseconds kPeriod{200};

bool shown = false;

}  // namespace

Progress::Progress() : on_terminal_(::isatty(STDERR_FILENO) == 1), next_(std::chrono::steady_clock::now() + kPeriod) {}

bool Progress::due() {
  if (!on_terminal_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + kPeriod;
  return true;
}

void Progress::show(std::string_view line) {
  if (!on_terminal_) return;
  erase();
  fmt::print(stderr, "{}", line);
  std::fflush(stderr);
  shown = true;
}

void Progress::erase() {
  if (!shown) return;
  std::fputs("\r\x1b[K", stderr);  // to the first column, and clear to the end of the line
  std::fflush(stderr);             // before anything is written to standard output
  shown = false;
}

}  // namespace aduana
