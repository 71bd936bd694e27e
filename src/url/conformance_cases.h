// The cases of the URL standard's test data, for the tests that need them.
//
// The data live outside the project: in $ADUANA_SHARED, or in "shared" beside it. Without them the list is empty, and
// tests skip themselves.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aduana {

struct ConformanceCase {
  std::string input;
  std::optional<std::string> base;
  bool failure = false;
  std::map<std::string, std::string> expected;  // "href", "protocol", …, with "origin" where the data give it
};

// Throws simdjson::simdjson_error when the file is there but is not what it should be.
std::vector<ConformanceCase> read_conformance_cases();

}  // namespace aduana
