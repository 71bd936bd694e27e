// Builds one JSON object, field by field, on one line. Strings may hold any bytes; the result is valid UTF-8.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

#include "base/json.h"

namespace aduana {

class JsonLine {
 public:
  JsonLine& text(std::string_view name, std::string_view value) {
    begin(name);
    append_json_string(line_, value);
    return *this;
  }
  // A finite number: JSON has no other.
  template <class Number>
  requires std::integral<Number> || std::floating_point<Number> JsonLine& number(std::string_view name, Number value) {
    begin(name);
    fmt::format_to(std::back_inserter(line_), "{}", value);
    return *this;
  }
  JsonLine& json(std::string_view name, std::string_view value) {
    begin(name);
    line_ += value;
    return *this;
  }

  std::string object() const { return line_ + '}'; }
  std::string line() const { return line_ + "}\n"; }

 private:
  void begin(std::string_view name) {
    if (line_.size() > 1) line_ += ',';
    append_json_string(line_, name);
    line_ += ':';
  }

  std::string line_ = "{";
};

}  // namespace aduana
