// A server to be measured, in a process of its own: this program again, with a sub-command that is not in its help. So
// its CPU time can be told from that of the load.
//
// The destructor stops it; if this process is killed, the system tells the server to stop.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "aduana/result.h"

namespace aduana::bench {

class ServerProcess {
 public:
  ServerProcess() = default;
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess() { (void)stop(); }

  // Returns when it listens. `arguments` begin with the sub-command; what the server says goes to the file `log`.
  Status start(const std::vector<std::string>& arguments, const std::string& log);
  Status stop();

  uint16_t port() const { return port_; }
  // Of all its threads so far, in user mode and in the kernel.
  Result<double> cpu_seconds() const;
  // The same, once it has come to rest: what it still does for what it has answered counts, too.
  Result<double> cpu_seconds_at_rest() const;

 private:
  Error ended(int code) const;

  pid_t process_ = -1;
  uint16_t port_ = 0;
  std::string log_;
};

// In the server: says the port, then waits until it is told to stop.
void serve_until_interrupted(uint16_t port);

}  // namespace aduana::bench
