// The document of the server's messages names what the server answers, and nothing else. (That the answers are as it
// says: python/openapi_test.py.)
#include <map>
#include <set>

#include "rest_fixture.h"
#include "serve/console/console_files.h"
#include "serve/rest/openapi.h"

namespace aduana {
namespace {

// Of one method of one path.
struct Operation {
  std::string role;
  std::set<std::string> parameters;
  bool operator==(const Operation&) const = default;
};
using Operations = std::map<std::string, Operation>;

// What gtest prints of one.
void PrintTo(const Operation& operation, std::ostream* out) {
  *out << operation.role;
  for (const std::string& parameter : operation.parameters) *out << ' ' << parameter;
}

Operations documented() {
  simdjson::dom::parser parser;
  const simdjson::dom::element document = parser.parse(openapi_json().data(), openapi_json().size());
  Operations operations;
  for (const auto [path, methods] : simdjson::dom::object(document["paths"])) {
    for (const auto [method, described] : simdjson::dom::object(methods)) {
      Operation& operation = operations[std::string(method) + ' ' + std::string(path)];
      operation.role = std::string_view(described["tags"].at(0));
      simdjson::dom::array parameters;
      if (described["parameters"].get(parameters)) continue;
      for (simdjson::dom::element parameter : parameters) {
        if (std::string_view shared; !parameter["$ref"].get(shared)) parameter = document.at_pointer(shared.substr(1));
        operation.parameters.emplace(std::string_view(parameter["name"]));
      }
    }
  }
  return operations;
}

Operations routed(const Routes& routes) {
  static constexpr const char* kRoles[] = {"anyone", "spider", "reader", "admin"};  // in the order of For
  std::set<std::string_view> console;
  for (const ConsoleFile& file : console_files()) console.insert(file.path);
  Operations operations;
  for (const Route& route : routes.all()) {
    if (console.contains(route.path)) continue;  // for people
    operations[(route.method == Method::get ? "get " : "post ") + route.path] = {
        kRoles[static_cast<size_t>(route.allowed)], {route.parameters->begin(), route.parameters->end()}};
  }
  return operations;
}

TEST_F(RestTest, TheDocumentNamesEveryRouteItsRoleAndItsParameters) { EXPECT_EQ(documented(), routed(api_->routes())); }

TEST_F(RestTest, TheDocumentIsServed) {
  const HttpResponse response = get("/openapi.json");
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(response.body, openapi_json());
}

TEST_F(RestTest, ParametersThatARouteDoesNotHaveAreRefused) {
  for (const Route& route : api_->routes().all()) {
    const HttpResponse response = ask(route.method, route.path + "?unheard_of=1");
    if (!route.parameters) {
      EXPECT_EQ(response.status, 200u) << route.path;
      continue;
    }
    EXPECT_EQ(response.status, 400u) << route.path;
    EXPECT_EQ(response.body, "there is no parameter \"unheard_of\" here\n") << route.path;
  }
}

}  // namespace
}  // namespace aduana
