#include "serve/console/console_routes.h"

#include "serve/console/console_files.h"

namespace aduana {

namespace {

// Whatever a page of the wild web manages to put into the console, it runs nothing and goes nowhere.
constexpr const char* kPolicy =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; "
    "require-trusted-types-for 'script'";

HttpResponse response_of(const ConsoleFile& file) {
  HttpResponse response;
  response.content_type = file.content_type;
  if (file.content_type.starts_with("text/")) response.content_type += "; charset=utf-8";
  response.body = file.bytes;
  response.headers = {{"Content-Security-Policy", kPolicy},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-cache"}};
  return response;
}

}  // namespace

void add_console(Routes& routes) {
  for (const ConsoleFile& file : console_files()) {
    routes.add(
        Method::get, std::string(file.path), For::readers, [file](const HttpRequest&) { return response_of(file); },
        std::nullopt);
  }
}

}  // namespace aduana
