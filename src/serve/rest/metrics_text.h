// The text that Prometheus reads.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aduana {

class MetricsText {
 public:
  void counter(std::string_view name, std::string_view help, double value);
  void gauge(std::string_view name, std::string_view help, double value);
  // One value for each label.
  using Labelled = std::vector<std::pair<std::string, double>>;
  void counters(std::string_view name, std::string_view help, std::string_view label, const Labelled& values);
  void gauges(std::string_view name, std::string_view help, std::string_view label, const Labelled& values);

  std::string take() { return std::move(text_); }

 private:
  void begin(std::string_view name, std::string_view help, std::string_view type);
  void values(std::string_view name, std::string_view label, const Labelled& values);

  std::string text_;
};

}  // namespace aduana
