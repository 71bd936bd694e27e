#include "json_object.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json.h"

namespace aduana::bench {
namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "null"; }

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace

void JsonObject::add_raw(std::string_view name, std::string_view value) {
  if (!fields_.empty()) fields_ += ", ";
  fields_ += quoted(name);
  fields_ += ": ";
  fields_ += value;
}

void JsonObject::add(std::string_view name, double value) { add_raw(name, number(value)); }
void JsonObject::add(std::string_view name, uint64_t value) { add_raw(name, fmt::to_string(value)); }
void JsonObject::add(std::string_view name, bool value) { add_raw(name, value ? "true" : "false"); }
void JsonObject::add(std::string_view name, std::string_view value) { add_raw(name, quoted(value)); }
void JsonObject::add(std::string_view name, const JsonObject& value) { add_raw(name, value.text()); }

void JsonObject::add(std::string_view name, const std::vector<double>& values) {
  std::string list = "[";
  for (double value : values) {
    if (list.size() > 1) list += ", ";
    list += number(value);
  }
  add_raw(name, list + "]");
}

}  // namespace aduana::bench
