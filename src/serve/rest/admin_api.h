// What changes a crawl from outside: seeds, hosts, pause (docs/rest.md). Thread-safe.
#pragma once

#include "aduana/frontier.h"
#include "serve/rest/routes.h"

namespace aduana {

class AdminApi {
 public:
  AdminApi(Frontier& frontier, const Clock& clock) : frontier_(frontier), clock_(clock) {}

  void add_to(Routes& routes);

 private:
  HttpResponse seeds(const HttpRequest& request);
  Result<std::string> control_host(const HttpRequest& request);
  HttpResponse pause(const HttpRequest& request, bool paused);
  HttpResponse checkpoint(const HttpRequest& request);

  Frontier& frontier_;
  const Clock& clock_;
};

}  // namespace aduana
