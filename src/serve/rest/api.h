// All that the server answers, put together: finds who answers a request, and whether the client may ask it.
// Thread-safe.
#pragma once

#include <string>

#include "aduana/frontier.h"
#include "serve/access/authenticator.h"
#include "serve/console/console_routes.h"
#include "serve/rest/activity.h"
#include "serve/rest/admin_api.h"
#include "serve/rest/links_api.h"
#include "serve/rest/reader_api.h"
#include "serve/rest/routes.h"
#include "serve/rest/spider_api.h"
#include "serve/rest/stats_api.h"

namespace aduana {

struct ApiOptions {
  uint64_t default_requests = 10;  // of GET /request without n
  std::string dir;                 // of the store, to tell its size
  std::string version;
  Millis graph_interval{0};  // between two graphs of all links; 0: only when asked for
};

class Api final : public HttpHandler {
 public:
  // Without `access` everybody may do everything; the server must then be reached from its own machine only.
  Api(Frontier& frontier, const Clock& clock, const ApiOptions& options, Authenticator* access = nullptr);

  bool takes_long(const HttpHead& head) override;
  std::optional<HttpResponse> refuse(HttpHead& head) override;
  HttpResponse answer(const HttpRequest& request) override;
  bool answers_slowly(const HttpHead& head) override;
  bool counts(const HttpHead& head) override;
  HttpResponse error(const HttpHead& head, unsigned status, std::string_view code, const std::string& message) override;

  const Routes& routes() const { return routes_; }
  void set_server(const HttpServer* server) { stats_.set_server(server); }
  // What takes long and was not finished is given up; to be called before the server is stopped.
  void stop() { links_.stop(); }

 private:
  // Who is asking, into head.role.
  std::optional<HttpResponse> identify(HttpHead& head);

  Authenticator* const access_;
  Activity activity_;
  PageEvents events_;
  SpiderApi spiders_;
  ReaderApi readers_;
  LinksApi links_;
  AdminApi admins_;
  StatsApi stats_;
  Routes routes_;
};

}  // namespace aduana
