// Only tests need this, and its name says so to the build.
#include "url/conformance_cases.h"

#include <simdjson.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/json.h"

namespace aduana {
namespace {

constexpr const char* kParts[] = {"href",     "origin", "protocol", "username", "password", "host",
                                  "hostname", "port",   "pathname", "search",   "hash"};

std::string shared_folder() {
  const char* named = std::getenv("ADUANA_SHARED");
  return named ? named : ADUANA_SOURCE_DIR "/../shared";
}

std::string text_of(simdjson::dom::element value) { return std::string(value.get_string().value()); }

ConformanceCase read_case(simdjson::dom::object object) {
  ConformanceCase test;
  test.input = text_of(object["input"].value());
  if (simdjson::dom::element base; !object["base"].get(base) && !base.is_null()) test.base = text_of(base);
  if (simdjson::dom::element failure; !object["failure"].get(failure)) test.failure = failure.get_bool().value();
  for (const char* part : kParts) {
    if (simdjson::dom::element value; !object[part].get(value)) test.expected[part] = text_of(value);
  }
  return test;
}

}  // namespace

std::vector<ConformanceCase> read_conformance_cases() {
  std::ifstream file(shared_folder() + "/conformance/url/urltestdata.json", std::ios::binary);
  std::vector<ConformanceCase> cases;
  if (!file) return cases;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  replace_lone_surrogates(text);
  simdjson::dom::parser parser;
  const simdjson::dom::array items = parser.parse(text).get_array().value();
  for (simdjson::dom::element item : items) {
    if (item.is_object()) cases.push_back(read_case(item.get_object().value()));  // the others are remarks
  }
  return cases;
}

}  // namespace aduana
