#include "interrupt.h"

#include <signal.h>

namespace aduana::bench {
namespace {

volatile sig_atomic_t signalled = 0;

void on_signal(int) { signalled = 1; }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return signalled != 0; }

}  // namespace aduana::bench
