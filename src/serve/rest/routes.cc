#include "serve/rest/routes.h"

namespace aduana {

const Route* Routes::find(Method method, std::string_view path) const {
  for (const Route& route : routes_) {
    if (route.path != path) continue;
    if (route.method == method || (method == Method::head && route.answers_head())) return &route;
  }
  return nullptr;
}

std::string Routes::methods_of(std::string_view path) const {
  std::string methods;
  for (const Route& route : routes_) {
    if (route.path != path) continue;
    if (!methods.empty()) methods += ", ";
    methods += route.method == Method::post ? "POST" : route.answers_head() ? "GET, HEAD" : "GET";
  }
  return methods;
}

}  // namespace aduana
