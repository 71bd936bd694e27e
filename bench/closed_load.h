// A load like that of wrk: some connections, each sending its next message as soon as the last one was answered, for so
// many seconds or until there is nothing left to send.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "aduana/result.h"
#include "latencies.h"
#include "server_process.h"

namespace aduana::bench {

struct LoadMessage {
  std::string bytes;
  uint64_t links = 0;  // that are reported with it
};

// Of one load, or of some of them together.
struct LoadFigures {
  uint64_t requests = 0, links = 0;
  uint64_t empty_answers = 0;  // lists without anything in them
  uint64_t answer_bytes = 0;   // without headers
  double seconds = 0, server_cpu_s = 0, load_cpu_s = 0;
  Latencies latencies;

  void add(const LoadFigures& other);
  double requests_per_s() const { return static_cast<double>(requests) / seconds; }
  double requests_per_cpu_s() const { return static_cast<double>(requests) / server_cpu_s; }
  double links_per_s() const { return static_cast<double>(links) / seconds; }
  double links_per_cpu_s() const { return static_cast<double>(links) / server_cpu_s; }
};

struct ClosedLoad {
  size_t connections = 16;
  double seconds = 3;
  unsigned status = 200;                     // that every answer must have
  std::function<const LoadMessage*()> next;  // null: nothing is left; stays where it is for the whole load
};

Result<LoadFigures> run_load(const ServerProcess& server, const ClosedLoad& load);

}  // namespace aduana::bench
