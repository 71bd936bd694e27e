#include "serve/rest/openapi.h"

#include "serve/rest/responses.h"

namespace aduana {

void add_openapi(Routes& routes) {
  routes.add(Method::get, "/openapi.json", For::readers,
             [](const HttpRequest&) { return json_response(std::string(openapi_json())); });
}

}  // namespace aduana
