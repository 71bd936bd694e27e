#include "serve/rest/api.h"

#include <fmt/format.h>

#include "serve/rest/responses.h"

namespace aduana {

Api::Api(Frontier& frontier, const Clock& clock, const ApiOptions& options)
    : activity_(clock),
      spiders_(frontier, activity_, options.default_requests),
      readers_(frontier, activity_, clock),
      admins_(frontier, clock),
      stats_(frontier, activity_, options.dir, options.version) {
  spiders_.add_to(routes_);
  readers_.add_to(routes_);
  admins_.add_to(routes_);
  stats_.add_to(routes_);
}

std::optional<HttpResponse> Api::refuse(const HttpHead& head) {
  if (routes_.find(head.method, head.path)) return std::nullopt;
  const std::string methods = routes_.methods_of(head.path);
  if (methods.empty()) return error_response(head, 404, "not_found", "there is nothing here; see docs/rest.md or /openapi.json");
  HttpResponse response =
      error_response(head, 405, "method", fmt::format("{} takes {} only", head.path, methods));
  response.headers.emplace_back("Allow", methods);
  return response;
}

HttpResponse Api::answer(const HttpRequest& request) {
  const Route* route = routes_.find(request.method, request.path);
  HttpResponse response = route->answer(request);
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

HttpResponse Api::error(const HttpHead& head, unsigned status, std::string_view code, const std::string& message) {
  HttpResponse response = error_response(head, status, code, message);
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

}  // namespace aduana
