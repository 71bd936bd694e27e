#include "serve/rest/metrics_text.h"

#include <fmt/format.h>

namespace aduana {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

void MetricsText::begin(std::string_view name, std::string_view help, std::string_view type) {
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

void MetricsText::values(std::string_view name, std::string_view label, const Labelled& values) {
  for (const auto& [value_of_label, value] : values) {
    text_ += fmt::format("{}{{{}=\"{}\"}} {}\n", name, label, escaped(value_of_label), value);
  }
}

void MetricsText::counter(std::string_view name, std::string_view help, double value) {
  begin(name, help, "counter");
  text_ += fmt::format("{} {}\n", name, value);
}

void MetricsText::gauge(std::string_view name, std::string_view help, double value) {
  begin(name, help, "gauge");
  text_ += fmt::format("{} {}\n", name, value);
}

void MetricsText::counters(std::string_view name, std::string_view help, std::string_view label,
                           const Labelled& values_of) {
  begin(name, help, "counter");
  values(name, label, values_of);
}

void MetricsText::gauges(std::string_view name, std::string_view help, std::string_view label,
                         const Labelled& values_of) {
  begin(name, help, "gauge");
  values(name, label, values_of);
}

}  // namespace aduana
