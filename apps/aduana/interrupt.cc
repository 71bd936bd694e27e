#include "interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>

namespace aduana {
namespace {

volatile std::sig_atomic_t signal_seen = 0;
volatile std::sig_atomic_t hang_up_seen = 0;

// A byte is written here when a signal comes. Whatever thread it comes to, and however short before a wait, the wait
// sees it; a read that the signal is hoped to break off would not.
int wake_up[2] = {-1, -1};

void note(int signal) {
  const int saved = errno;
  (signal == SIGHUP ? hang_up_seen : signal_seen) = signal;
  [[maybe_unused]] const ssize_t written = ::write(wake_up[1], "", 1);
  errno = saved;
}

void catch_signals(std::initializer_list<int> signals, int flags) {
  if (wake_up[0] < 0 && ::pipe2(wake_up, O_CLOEXEC | O_NONBLOCK) < 0) return;  // then they do what they always do
  struct sigaction action = {};
  action.sa_handler = note;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART | flags;
  for (const int signal : signals) sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() { catch_signals({SIGINT, SIGTERM}, SA_RESETHAND); }
void catch_hang_ups() { catch_signals({SIGHUP}, 0); }

int interrupted() { return signal_seen; }

bool wait_for_hang_up() {
  while (!interrupted()) {
    if (hang_up_seen) {
      hang_up_seen = 0;
      return true;
    }
    pollfd ready{wake_up[0], POLLIN, 0};
    ::poll(&ready, 1, -1);
    char bytes[64];
    while (::read(wake_up[0], bytes, sizeof bytes) > 0) {
    }
  }
  return false;
}

bool wait_for_input(int fd) {
  pollfd ready[2] = {{fd, POLLIN, 0}, {wake_up[0], POLLIN, 0}};  // poll() passes over descriptor -1
  while (!interrupted()) {
    if (::poll(ready, 2, -1) < 0 && errno == EINTR) continue;
    if (!interrupted()) return true;
  }
  return false;
}

}  // namespace aduana
