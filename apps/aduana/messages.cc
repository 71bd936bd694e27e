#include "messages.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/json.h"
#include "exit_code.h"
#include "progress.h"

namespace aduana {
namespace {

void print(std::string_view prefix, std::string_view message) {
  Progress::erase();
  const std::string line = fmt::format("{}{}\n", prefix, printable(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void print_error(std::string_view message) { print("aduana: ", message); }
void print_warning(std::string_view message) { print("aduana: warning: ", message); }

int fail(const Error& error) {
  print_error(error.message());
  return error.code() == Code::corrupt ? kDataProblem : kFailed;
}

std::string printable(std::string_view text, size_t most) {
  std::string json;
  append_json_string(json, text.substr(0, most));
  // A JSON string is harmless; for reading, quotes and backslashes go back to what they were.
  std::string out;
  for (size_t i = 1; i + 1 < json.size(); ++i) {
    if (json[i] == '\\' && (json[i + 1] == '"' || json[i + 1] == '\\')) ++i;
    out += json[i];
  }
  if (text.size() > most) out += "…";
  return out;
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string counted(uint64_t number, const std::string& noun) {
  return grouped(number) + ' ' + noun + (number == 1 ? "" : "s");
}

}  // namespace aduana
