#include "measured_server.h"

#include <vector>

#include "aduana/frontier.h"
#include "base/freed_memory.h"
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
constexpr size_t kPagesOfAReport = 100;

class ApiWithRescore final : public HttpHandler {
 public:
  ApiWithRescore(Api& api, Frontier& frontier) : api_(api), frontier_(frontier) {}

  bool takes_long(const HttpHead& head) override { return api_.takes_long(head); }
  bool answers_slowly(const HttpHead& head) override { return is_rescore(head) || api_.answers_slowly(head); }
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

Status fill(Frontier& frontier, const MeasuredServerOptions& options) {
  CrawlWorkload workload(options.crawl);
  std::vector<ReportedPage> pages;
  std::vector<ReportedLink> links;
  return crawl_until(workload, options.urls, [&](const CrawlBatch& batch) -> Status {
    pages.clear();
    links.clear();
    links.reserve(batch.links());
    for (const BenchPage& page : batch.pages()) {
      const size_t first = links.size();
      for (const BenchLink& link : page.links) links.push_back({link.url, link.score, kDefaultPriority});
      ReportedPage reported;
      reported.url = page.url;
      reported.score = page.score;
      reported.links = std::span<const ReportedLink>(links).subspan(first);
      pages.push_back(reported);
    }
    ADUANA_TRY(frontier.report(pages));
    return {};
  });
}

}  // namespace

Status crawl_until(CrawlWorkload& workload, uint64_t urls, const std::function<Status(const CrawlBatch&)>& take) {
  CrawlBatch batch;
  while (workload.known() < urls) {
    if (interrupted()) return interruption();
    workload.generate(kPagesOfAReport, batch);
    ADUANA_TRY(take(batch));
  }
  return {};
}

Status run_measured_server(const MeasuredServerOptions& options) {
  FrontierOptions frontier_options;
  frontier_options.politeness = PolitenessOptions::none();
  frontier_options.lease = kLease;
  frontier_options.scoring.scorer = options.scorer;
  frontier_options.scoring.update_interval = kScoreInterval;
  give_back_large_blocks();
  const SystemClock clock;
  ADUANA_ASSIGN(const auto frontier, Frontier::open(options.dir, frontier_options));
  ADUANA_TRY(fill(*frontier, options));
  if (options.scorer != ScorerKind::content) ADUANA_TRY(frontier->update_scores());
  ADUANA_TRY(frontier->checkpoint());
  Api api(*frontier, clock, {10, options.dir, "bench"});
  ApiWithRescore handler(api, *frontier);
  HttpOptions http;
  http.port = 0;
  http.threads = options.threads;
  ADUANA_ASSIGN(const auto server, HttpServer::start(http, handler, nullptr));
  api.set_server(server.get());
  serve_until_interrupted(server->port());
  api.set_server(nullptr);
  server->stop();
  return frontier->close();
}

}  // namespace aduana::bench
