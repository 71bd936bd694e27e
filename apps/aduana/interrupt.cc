#include "interrupt.h"

#include <csignal>

namespace aduana {
namespace {

volatile std::sig_atomic_t signal_seen = 0;

void note(int signal) { signal_seen = signal; }

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESETHAND;  // and no SA_RESTART: a waiting read must return
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupted() { return signal_seen; }

}  // namespace aduana
