#include "serve/rest/json_values.h"

#include <fmt/format.h>

#include <cfloat>
#include <cmath>

#include "base/json.h"

namespace aduana {

using simdjson::dom::element;
using simdjson::dom::element_type;

namespace {

constexpr double kMaxSeconds = 253402300799.0;  // the end of the year 9999
constexpr double kMaxDuration = 366 * 86400.0;

const char* name_of(element_type type) {
  switch (type) {
    case element_type::ARRAY:
      return "a list";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "true or false";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

const char* reason_of(simdjson::error_code error) {
  switch (error) {
    case simdjson::UTF8_ERROR:
      return "invalid UTF-8";
    case simdjson::UNESCAPED_CHARS:
      return "not JSON: a control byte that is not escaped in a string";
    case simdjson::UNCLOSED_STRING:
      return "not JSON: a string has no end";
    case simdjson::STRING_ERROR:
      return "not JSON: a wrong escape in a string";
    case simdjson::NUMBER_ERROR:
      return "not JSON: a number is badly written, or out of range";
    case simdjson::DEPTH_ERROR:
      return "not JSON that is expected here: nested too deep";
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY:
      return "not enough memory to read JSON of this length";
    default:
      return "not JSON: expected an object {\"url\": …} and nothing behind it";
  }
}

}  // namespace

Error invalid(std::string message) { return Error(Code::invalid, std::move(message)); }

Error wrong_type(std::string_view field, std::string_view expected, const element& found) {
  return invalid(fmt::format("{} must be {}, not {}", field, expected, name_of(found.type())));
}

Result<std::string_view> read_text(const element& value, std::string_view field) {
  std::string_view text;
  if (value.get(text)) return wrong_type(field, "a string", value);
  return text;
}

Result<double> read_number(const element& value, std::string_view field) {
  double number;
  if (value.get(number)) return wrong_type(field, "a number", value);
  return number;
}

Result<Instant> read_time(const element& value, std::string_view field) {
  double seconds;
  if (value.get(seconds)) return wrong_type(field, "a number of seconds since the epoch", value);
  if (!(seconds >= 0 && seconds <= kMaxSeconds)) {
    return invalid(fmt::format("{} is {}, which is not between the years 1970 and 9999", field, seconds));
  }
  return Instant{Millis{std::llround(seconds * 1000)}};
}

Result<Millis> read_duration(const element& value, std::string_view field) {
  double seconds;
  if (value.get(seconds)) return wrong_type(field, "a number of seconds", value);
  if (!(seconds >= 0 && seconds <= kMaxDuration)) {
    return invalid(fmt::format("{} is {}, which is not from 0 to a year of seconds", field, seconds));
  }
  return Millis{std::llround(seconds * 1000)};
}

Result<element> parse_json(simdjson::dom::parser& parser, std::string_view json) {
  element parsed;
  auto error = parser.parse(json.data(), json.size(), false).get(parsed);
  if (error == simdjson::STRING_ERROR) {
    // JavaScript writes halves of surrogate pairs that simdjson does not take.
    std::string repaired(json);
    replace_lone_surrogates(repaired);
    error = parser.parse(repaired).get(parsed);
  }
  if (error) return invalid(reason_of(error));
  return parsed;
}

}  // namespace aduana
