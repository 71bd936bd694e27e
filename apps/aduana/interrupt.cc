#include "interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace aduana {
namespace {

volatile std::sig_atomic_t signal_seen = 0;

// A byte is written here when a signal comes. Whatever thread it comes to, and however short before a wait, the wait
// sees it; a read that the signal is hoped to break off would not.
int wake_up[2] = {-1, -1};

void note(int signal) {
  const int saved = errno;
  signal_seen = signal;
  [[maybe_unused]] const ssize_t written = ::write(wake_up[1], "", 1);
  errno = saved;
}

}  // namespace

void catch_interrupts() {
  if (wake_up[0] < 0 && ::pipe2(wake_up, O_CLOEXEC | O_NONBLOCK) < 0) return;  // then Ctrl-C does what it always does
  struct sigaction action = {};
  action.sa_handler = note;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupted() { return signal_seen; }

void wait_for_interrupt() { wait_for_input(-1); }

bool wait_for_input(int fd) {
  pollfd ready[2] = {{fd, POLLIN, 0}, {wake_up[0], POLLIN, 0}};  // poll() passes over descriptor -1
  while (!interrupted()) {
    if (::poll(ready, 2, -1) < 0 && errno == EINTR) continue;
    if (!interrupted()) return true;
  }
  return false;
}

}  // namespace aduana
