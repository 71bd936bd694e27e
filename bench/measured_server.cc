#include "measured_server.h"

#include <chrono>
#include <thread>

#include "aduana/frontier.h"
#include "interrupt.h"
#include "serve/http/server.h"
#include "serve/rest/api.h"
#include "serve/rest/responses.h"
#include "server_process.h"

namespace aduana::bench {
namespace {

// Long enough that nothing returns while it is measured.
constexpr Millis kLease{86'400'000};
// So that scores are computed only when a client asks for it.
constexpr Millis kScoreInterval{86'400'000};

class ApiWithRescore final : public HttpHandler {
 public:
  ApiWithRescore(Api& api, Frontier& frontier) : api_(api), frontier_(frontier) {}

  bool takes_long(const HttpHead& head) override { return api_.takes_long(head); }
  std::optional<HttpResponse> refuse(HttpHead& head) override {
    return is_rescore(head) ? std::nullopt : api_.refuse(head);
  }
  HttpResponse answer(const HttpRequest& request) override {
    if (!is_rescore(request)) return api_.answer(request);
    const Status done = frontier_.update_scores();
    return done ? json_response("{\"ok\":true}") : error_response(request, done.error());
  }
  HttpResponse error(const HttpHead& head, unsigned status, std::string_view code,
                     const std::string& message) override {
    return api_.error(head, status, code, message);
  }

 private:
  static bool is_rescore(const HttpHead& head) { return head.method == Method::post && head.path == "/rescore"; }

  Api& api_;
  Frontier& frontier_;
};

// A store with pages has them scored when it is opened.
Status wait_for_scores(Frontier& frontier) {
  while (true) {
    ADUANA_ASSIGN(const FrontierStats stats, frontier.stats());
    if (stats.scoring.updates > 0) return {};
    if (!stats.scoring.failure.empty()) return Error(Code::io, stats.scoring.failure);
    if (interrupted()) return interruption();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace

FrontierOptions measured_frontier_options(ScorerKind scorer) {
  FrontierOptions options;
  options.politeness = PolitenessOptions::none();
  options.lease = kLease;
  options.scoring.scorer = scorer;
  options.scoring.update_interval = kScoreInterval;
  return options;
}

Status run_measured_server(const std::string& dir, unsigned threads, ScorerKind scorer) {
  const SystemClock clock;
  ADUANA_ASSIGN(const auto frontier, Frontier::open(dir, measured_frontier_options(scorer)));
  if (scorer != ScorerKind::content) ADUANA_TRY(wait_for_scores(*frontier));
  Api api(*frontier, clock, {10, dir, "bench"});
  ApiWithRescore handler(api, *frontier);
  HttpOptions options;
  options.port = 0;
  options.threads = threads;
  ADUANA_ASSIGN(const auto server, HttpServer::start(options, handler, nullptr));
  api.set_server(server.get());
  serve_until_interrupted(server->port());
  api.set_server(nullptr);
  server->stop();
  return frontier->close();
}

}  // namespace aduana::bench
