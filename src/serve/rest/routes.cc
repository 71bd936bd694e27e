#include "serve/rest/routes.h"

namespace aduana {

const Route* Routes::find(Method method, std::string_view path) const {
  if (method == Method::head) method = Method::get;
  for (const Route& route : routes_) {
    if (route.method == method && route.path == path) return &route;
  }
  return nullptr;
}

std::string Routes::methods_of(std::string_view path) const {
  std::string methods;
  for (const Route& route : routes_) {
    if (route.path != path) continue;
    if (!methods.empty()) methods += ", ";
    methods += route.method == Method::get ? "GET, HEAD" : "POST";
  }
  return methods;
}

}  // namespace aduana
