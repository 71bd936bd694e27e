#include "closed_load.h"

#include <fmt/format.h>

#include "http_load.h"
#include "stopwatch.h"

namespace aduana::bench {

void LoadFigures::add(const LoadFigures& other) {
  requests += other.requests;
  links += other.links;
  empty_answers += other.empty_answers;
  answer_bytes += other.answer_bytes;
  seconds += other.seconds;
  server_cpu_s += other.server_cpu_s;
  load_cpu_s += other.load_cpu_s;
  latencies.add(other.latencies);
}

Result<LoadFigures> run_load(const ServerProcess& server, const ClosedLoad& load) {
  HttpLoad http;
  ADUANA_TRY(http.connect(server.port(), load.connections));
  ADUANA_ASSIGN(const double server_before, server.cpu_seconds_at_rest());
  const double load_before = process_cpu_seconds();
  const Stopwatch watch;
  LoadFigures figures;
  const auto send_next = [&](size_t connection) -> Status {
    const LoadMessage* message = load.next();
    if (!message) return {};
    figures.links += message->links;
    return http.send(connection, message->bytes);
  };
  const auto on_answer = [&](size_t connection, const HttpAnswer& answer, double seconds) -> Status {
    if (answer.status != load.status) {
      return Error(Code::io, fmt::format("the server answered {} instead of {}: {}", answer.status, load.status,
                                         answer.body.substr(0, 500)));
    }
    ++figures.requests;
    figures.answer_bytes += answer.body.size();
    if (answer.body == "[]") ++figures.empty_answers;
    figures.latencies.add(seconds);
    return watch.seconds() < load.seconds ? send_next(connection) : Status{};
  };
  for (size_t i = 0; i < http.size(); ++i) ADUANA_TRY(send_next(i));
  ADUANA_TRY(http.finish(on_answer));
  figures.seconds = watch.seconds();
  figures.load_cpu_s = process_cpu_seconds() - load_before;
  ADUANA_ASSIGN(const double server_after, server.cpu_seconds_at_rest());
  figures.server_cpu_s = server_after - server_before;
  return figures;
}

}  // namespace aduana::bench
