// How the crawl and the server are: GET /stats, /metrics, /healthz, /readyz (docs/rest.md, docs/metrics.md).
// Thread-safe.
#pragma once

#include <atomic>
#include <string>

#include "aduana/frontier.h"
#include "serve/rest/activity.h"
#include "serve/rest/routes.h"

namespace aduana {

class HttpServer;

class StatsApi {
 public:
  StatsApi(Frontier& frontier, const Activity& activity, const Clock& clock, std::string dir, std::string version)
      : frontier_(frontier), activity_(activity), clock_(clock), dir_(std::move(dir)), version_(std::move(version)) {}

  void add_to(Routes& routes);
  // Whose connections to count; null: none yet, or none any more. While there is one, /readyz says that it is ready.
  void set_server(const HttpServer* server) { server_ = server; }

 private:
  HttpResponse stats(const HttpRequest& request);
  HttpResponse metrics(const HttpRequest& request);

  Frontier& frontier_;
  const Activity& activity_;
  const Clock& clock_;
  const std::string dir_, version_;
  std::atomic<const HttpServer*> server_ = nullptr;
};

}  // namespace aduana
