// What spiders ask: POST /crawled, GET /request, POST /failed and POST /released (docs/rest.md). Thread-safe.
#pragma once

#include "aduana/frontier.h"
#include "serve/rest/activity.h"
#include "serve/rest/page_events.h"
#include "serve/rest/routes.h"

namespace aduana {

class SpiderApi {
 public:
  static constexpr uint64_t kMostRequests = 10'000;

  // `default_requests`: how many pages a request is for that doesn't say.
  SpiderApi(Frontier& frontier, Activity& activity, PageEvents& events, uint64_t default_requests)
      : frontier_(frontier), activity_(activity), events_(events), default_requests_(default_requests) {}

  void add_to(Routes& routes);

 private:
  HttpResponse crawled(const HttpRequest& request);
  HttpResponse next_pages(const HttpRequest& request);
  HttpResponse failed(const HttpRequest& request);
  HttpResponse released(const HttpRequest& request);

  Result<RequestOptions> options_of(const class Query& query) const;
  // Into the page's history.
  void note(const PageRef& page, PageEventKind kind, const char* detail = "");

  Frontier& frontier_;
  Activity& activity_;
  PageEvents& events_;
  const uint64_t default_requests_;
};

}  // namespace aduana
