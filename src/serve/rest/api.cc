#include "serve/rest/api.h"

#include <fmt/format.h>

#include <algorithm>

#include "serve/http/query.h"
#include "serve/rest/openapi.h"
#include "serve/rest/responses.h"

namespace aduana {

namespace {

bool may(Role role, For allowed) {
  switch (allowed) {
    case For::anyone:
      return true;
    case For::spiders:
      return role != Role::reader;
    case For::readers:
      return role != Role::spider;
    case For::admins:
      break;
  }
  return role == Role::admin;
}

// "host:port" without the port.
std::string_view name_in(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, std::min(host.find(']') + 1, host.size()));
  return host.substr(0, std::min(host.find(':'), host.size()));
}

// A page of a foreign site can give a browser a name of its own for this machine's address; then it asks by that name.
bool is_name_of_this_machine(std::string_view host) {
  const std::string_view name = name_in(host);
  return name.empty() || name == "localhost" || name.starts_with('[') ||
         name.find_first_not_of("0123456789.") == std::string_view::npos;
}

// A browser sends the user's credentials with whatever a page asks for, but it says whose page that is.
bool is_from_another_site(const HttpHead& head) {
  if (!head.fetch_site.empty()) return head.fetch_site != "same-origin" && head.fetch_site != "none";
  if (head.origin.empty()) return false;
  const size_t begin = head.origin.find("://");
  return begin == std::string_view::npos || head.origin.substr(begin + 3) != head.host;
}

}  // namespace

Api::Api(Frontier& frontier, const Clock& clock, const ApiOptions& options, Authenticator* access)
    : access_(access),
      activity_(clock),
      events_(clock),
      spiders_(frontier, activity_, events_, options.default_requests),
      readers_(frontier, activity_, events_, clock),
      links_(frontier, clock, options.dir, options.graph_interval),
      admins_(frontier, clock),
      stats_(frontier, activity_, clock, options.dir, options.version) {
  spiders_.add_to(routes_);
  readers_.add_to(routes_);
  links_.add_to(routes_);
  admins_.add_to(routes_);
  stats_.add_to(routes_);
  add_openapi(routes_);
  add_console(routes_);
}

bool Api::takes_long(const HttpHead& head) {
  if (!access_) return false;
  const Route* route = routes_.find(head.method, head.path);
  if (route && route->allowed == For::anyone) return false;
  return !access_->answer_at_once(head.authorization, head.client);
}

std::optional<HttpResponse> Api::identify(HttpHead& head) {
  if (!access_) {
    if (is_name_of_this_machine(head.host)) return std::nullopt;
    return error_response(head, 403, "forbidden",
                          "without passwords this server is for its own machine: ask it by address, or as localhost");
  }
  const AccessAnswer answer = access_->authenticate(head.authorization, head.client);
  if (answer.access == Access::granted) {
    head.role = answer.role;
    return std::nullopt;
  }
  if (answer.access == Access::too_many) {
    HttpResponse response =
        error_response(head, 429, "too_many", "too many wrong passwords from your address; wait a while");
    response.headers.emplace_back("Retry-After", fmt::format("{}", answer.wait.count() / 1000 + 1));
    return response;
  }
  HttpResponse response =
      error_response(head, 401, "unauthorized",
                     answer.access == Access::missing ? "this server wants a user and a password (Basic)"
                                                      : "the user or the password is wrong");
  response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"aduana\", charset=\"UTF-8\"");
  return response;
}

std::optional<HttpResponse> Api::refuse(HttpHead& head) {
  const Route* route = routes_.find(head.method, head.path);
  if (route && route->allowed == For::anyone) return std::nullopt;
  if (auto refused = identify(head)) return refused;
  if (!route) {
    const std::string methods = routes_.methods_of(head.path);
    if (methods.empty()) return error_response(head, 404, "not_found", "there is nothing here; see docs/rest.md");
    HttpResponse response = error_response(head, 405, "method", fmt::format("{} takes {} only", head.path, methods));
    response.headers.emplace_back("Allow", methods);
    return response;
  }
  if (!may(head.role, route->allowed)) {
    return error_response(head, 403, "forbidden",
                          fmt::format("a {} may not do this; ask for a user with another role", name_of(head.role)));
  }
  if (head.method == Method::post && is_from_another_site(head)) {
    return error_response(head, 403, "forbidden", "a page of another site may not change this crawl");
  }
  return std::nullopt;
}

HttpResponse Api::answer(const HttpRequest& request) {
  const Route* route = routes_.find(request.method, request.path);
  if (route->parameters && route->parameters->empty()) {  // the others read their query themselves
    if (const auto query = Query::parse(request.query, {}); !query) return error_response(request, query.error());
  }
  HttpResponse response = route->answer(request);
  if (response.headers.empty()) response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

// Whoever watches over the server must not take it for dead because its address is busy.
bool Api::counts(const HttpHead& head) {
  const Route* route = routes_.find(head.method, head.path);
  return !route || route->allowed != For::anyone;
}

bool Api::answers_slowly(const HttpHead& head) {
  const Route* route = routes_.find(head.method, head.path);
  return route && route->pace == Pace::slow;
}

HttpResponse Api::error(const HttpHead& head, unsigned status, std::string_view code, const std::string& message) {
  HttpResponse response = error_response(head, status, code, message);
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

}  // namespace aduana
