// What is asked of a crawl from outside: pages, hosts, what happened lately (docs/rest.md). Changes nothing.
// Thread-safe.
#pragma once

#include <string>

#include "aduana/frontier.h"
#include "serve/http/query.h"
#include "serve/rest/activity.h"
#include "serve/rest/host_table.h"
#include "serve/rest/page_events.h"
#include "serve/rest/routes.h"

namespace aduana {

class ReaderApi {
 public:
  ReaderApi(Frontier& frontier, const Activity& activity, const PageEvents& events, const Clock& clock)
      : frontier_(frontier), activity_(activity), events_(events), clock_(clock), hosts_(frontier, clock) {}

  void add_to(Routes& routes);

 private:
  Result<std::string> page(const Query& query);
  Result<std::string> best(const Query& query);
  Result<std::string> host(const Query& query);
  Result<std::string> hosts(const Query& query);
  Result<std::string> freshness(const Query& query);
  Result<std::string> failures(const Query& query);
  Result<std::string> series(const Query& query);

  Frontier& frontier_;
  const Activity& activity_;
  const PageEvents& events_;
  const Clock& clock_;
  HostTable hosts_;
};

}  // namespace aduana
