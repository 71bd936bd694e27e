// Other programs that a measurement needs: a database server, gnuplot. A child runs in a session of its own, so that
// Ctrl-C reaches only us, and is ended by the system if we die. Output goes to a file.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "aduana/result.h"

namespace aduana::bench {

struct ChildOptions {
  std::vector<std::string> command;  // the program's path or its name in PATH, then its arguments
  std::string output;                // standard output and error are appended to this file; empty for nowhere
  std::string user;                  // run as this user; only root may ask for it
  int signal_when_we_die = 15;
};

Result<pid_t> start_child(const ChildOptions& options);
// The exit code, or 128 + the signal that ended it. Code::busy when it still runs after the time.
Result<int> wait_for_child(pid_t child, std::chrono::milliseconds longest);
// Starts it and waits; exit codes other than 0 and running for too long (it is killed then) are errors.
Status run_child(const ChildOptions& options, std::chrono::milliseconds longest);

}  // namespace aduana::bench
