// GET /openapi.json: what the server answers to what, for programs that make clients, forms or tests of it.
//
// The document is written by hand, in openapi.json. tests/serve_openapi_test.cc compares it with the routes, and
// tests/python/openapi_test.py with what the server does.
#pragma once

#include <string_view>

#include "serve/rest/routes.h"

namespace aduana {

std::string_view openapi_json();
void add_openapi(Routes& routes);

}  // namespace aduana
