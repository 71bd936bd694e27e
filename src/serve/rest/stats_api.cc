#include "serve/rest/stats_api.h"

#include "base/json_line.h"
#include "serve/http/server.h"
#include "serve/rest/host_json.h"
#include "serve/rest/machine_use.h"
#include "serve/rest/metrics_text.h"
#include "serve/rest/responses.h"
#include "serve/rest/values.h"

namespace aduana {

namespace {

HttpResponse text_response(std::string text, unsigned status = 200) {
  HttpResponse response;
  response.status = status;
  response.content_type = "text/plain; charset=utf-8";
  response.body = std::move(text);
  return response;
}

std::string scoring_json(const ScoringStatus& scoring) {
  return JsonLine()
      .text("scorer", name_of(scoring.scorer))
      .number("updates", scoring.updates)
      .number("loops", scoring.loops)
      .number("change", scoring.change)
      .json("reached", scoring.reached ? "true" : "false")
      .number("took", seconds_of(scoring.took))
      .number("moved", scoring.moved)
      .text("failure", scoring.failure)
      .object();
}

}  // namespace

void StatsApi::add_to(Routes& routes) {
  routes.add(Method::get, "/stats", For::readers, [this](const HttpRequest& r) { return stats(r); });
  routes.add(Method::get, "/metrics", For::readers, [this](const HttpRequest& r) { return metrics(r); });
  routes.add(Method::get, "/healthz", For::anyone, [](const HttpRequest&) { return text_response("ok\n"); });
  routes.add(Method::get, "/readyz", For::anyone, [this](const HttpRequest&) {
    return server_ ? text_response("ok\n") : text_response("the store is being opened or closed\n", 503);
  });
}

HttpResponse StatsApi::stats(const HttpRequest& request) {
  const auto stats = frontier_.stats();
  if (!stats) return error_response(request, stats.error());
  const MachineUse use = machine_use(dir_);
  JsonLine refused;
  for (size_t r = 0; r < kRefusalReasons; ++r) {
    refused.number(name_of(static_cast<Refusal>(r)), stats->refused[r]);
  }
  const auto rate = [&](Act act) { return activity_.rate(act); };
  return json_response(
      JsonLine()
          .text("version", version_)
          .text("role", name_of(request.role))
          .number("now", seconds_of(clock_.now()))
          .number("uptime", seconds_of(activity_.uptime()))
          .number("urls", stats->urls)
          .number("links", stats->links)
          .number("hosts", stats->queues)
          .json("pages", states_json(stats->pages))
          .json("refused", refused.object())
          .json("paused", stats->paused ? "true" : "false")
          .number("lsn", stats->lsn)
          .json("rates", JsonLine()
                             .number("crawled", rate(Act::crawled))
                             .number("requested", rate(Act::requested))
                             .number("failed", rate(Act::failed))
                             .object())
          .json("scoring", scoring_json(stats->scoring))
          .json("memory",
                JsonLine().number("resident", use.resident_bytes).number("pending", stats->pending_bytes).object())
          .json("disk", JsonLine().number("store", use.store_bytes).number("free", use.free_bytes).object())
          .object());
}

HttpResponse StatsApi::metrics(const HttpRequest& request) {
  const auto stats = frontier_.stats();
  if (!stats) return error_response(request, stats.error());
  const MachineUse use = machine_use(dir_);
  const auto number = [](uint64_t n) { return static_cast<double>(n); };
  MetricsText text;
  MetricsText::Labelled states, refused;
  for (size_t s = 0; s < kPageStates; ++s) {
    states.emplace_back(name_of(static_cast<PageState>(s)), number(stats->pages[s]));
  }
  for (size_t r = 0; r < kRefusalReasons; ++r) {
    refused.emplace_back(name_of(static_cast<Refusal>(r)), number(stats->refused[r]));
  }
  text.gauges("aduana_pages", "URLs by the state that they are in", "state", states);
  text.gauge("aduana_links", "Links between pages", number(stats->links));
  text.gauge("aduana_hosts", "Hosts", number(stats->queues));
  text.counters("aduana_refused_urls_total", "URLs that were found but not queued", "reason", refused);
  text.gauge("aduana_paused", "1 while no requests are given out", stats->paused);
  text.counter("aduana_crawled_total", "Pages reported since the server was started",
               number(activity_.total(Act::crawled)));
  text.counter("aduana_requested_total", "Pages given out since then", number(activity_.total(Act::requested)));
  text.counter("aduana_failed_total", "Failures told since then", number(activity_.total(Act::failed)));
  text.gauge("aduana_journal_lsn", "The log position of the last change", number(stats->lsn));
  text.counter("aduana_score_updates_total", "Times that scores were computed anew", number(stats->scoring.updates));
  text.gauge("aduana_score_update_seconds", "What the last of them took", seconds_of(stats->scoring.took));
  text.counter("aduana_pages_moved_total", "Pages moved in their queues because of their scores",
               number(stats->scoring.moved));
  text.gauge("aduana_pending_bytes", "Memory of pending pages", number(stats->pending_bytes));
  text.gauge("aduana_store_bytes", "The store on disk", number(use.store_bytes));
  text.gauge("aduana_disk_free_bytes", "Free on that disk", number(use.free_bytes));
  if (const HttpServer* server = server_) {
    const HttpCounts counts = server->counts();
    text.gauge("aduana_http_connections", "Connections", number(counts.connections));
    text.counter("aduana_http_connections_total", "Connections accepted", number(counts.accepted));
    text.counter("aduana_http_refused_connections_total", "Connections over a limit", number(counts.refused));
    text.counter("aduana_http_refused_requests_total", "Requests of clients that ask too often",
                 number(counts.too_many));
    text.counter("aduana_http_requests_total", "Requests", number(counts.requests));
    text.gauge("aduana_http_body_bytes", "Memory of bodies that are being read or answered",
               number(counts.bytes_of_bodies));
  }
  text.gauge("process_resident_memory_bytes", "Resident memory", number(use.resident_bytes));
  text.counter("process_cpu_seconds_total", "CPU time", use.cpu_seconds);
  HttpResponse response = text_response(text.take());
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  return response;
}

}  // namespace aduana
