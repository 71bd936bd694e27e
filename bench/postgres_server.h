// A PostgreSQL server of our own for the length of a measurement: its data in a temporary folder, listening on a free
// port of the loopback address, open to whoever knows a random password. As root it runs as the user postgres, since
// it refuses to run as root.
//
// The destructor stops it; if this process is killed, the system tells the server to stop.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "aduana/result.h"
#include "durability.h"

namespace aduana::bench {

struct PostgresOptions {
  uint64_t shared_buffers_bytes = uint64_t{1} << 30;
  Durability durability = Durability::interval;
};

class PostgresServer {
 public:
  PostgresServer() = default;
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer() { (void)stop(); }

  Status start(const std::string& dir, const PostgresOptions& options);
  Status stop();
  // For PQconnectdb.
  std::string connection() const;

 private:
  Status prepare_folder();
  Status make_cluster();
  Status configure(const PostgresOptions& options) const;
  Status launch();
  Error with_log(const Error& error) const;

  std::string binaries_;
  std::string user_;  // empty: as ourselves
  std::string dir_;
  std::string data_;
  std::string log_;
  std::string password_;
  int port_ = 0;
  pid_t server_ = -1;
};

}  // namespace aduana::bench
