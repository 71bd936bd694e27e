#include "duration_argument.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace aduana {

Result<Millis> parse_duration(const std::string& text) {
  const Error bad(Code::invalid, fmt::format("{} is not a duration such as 250ms, 60s, 5m or 2h", text));
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number >= 0)) return bad;
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  double ms = 0;
  if (unit == "ms") {
    ms = number;
  } else if (unit.empty() || unit == "s") {
    ms = number * 1000;
  } else if (unit == "m") {
    ms = number * 60'000;
  } else if (unit == "h") {
    ms = number * 3'600'000;
  } else {
    return bad;
  }
  constexpr double kMost = 1e14;  // three thousand years
  if (ms > kMost) return bad;
  return Millis{std::llround(ms)};
}

CLI::Option* add_duration(CLI::App* command, const std::string& name, Millis& value, const std::string& description) {
  return command
      ->add_option_function<std::string>(
          name,
          [&value, name](const std::string& text) {
            const auto parsed = parse_duration(text);
            if (!parsed) throw CLI::ValidationError(name, parsed.error().message());
            value = *parsed;
          },
          description)
      ->option_text(fmt::format("DURATION [{}]", value.count() % 1000 ? fmt::format("{}ms", value.count())
                                                                      : fmt::format("{}s", value.count() / 1000)));
}

}  // namespace aduana
