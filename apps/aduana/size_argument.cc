#include "size_argument.h"

#include <fmt/format.h>

#include <charconv>

namespace aduana {

std::optional<uint64_t> parse_size(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  constexpr std::string_view kUnits = "kmgt";
  int shift = 0;
  if (!unit.empty()) {
    const size_t step = kUnits.find(static_cast<char>(unit[0] | 0x20));
    if (step != std::string_view::npos) {
      shift = 10 * (static_cast<int>(step) + 1);
      unit.remove_prefix(1);
      if (unit.starts_with('i')) unit.remove_prefix(1);
    }
  }
  if (!unit.empty() && unit != "B" && unit != "b") return std::nullopt;
  if (number > UINT64_MAX >> shift) return std::nullopt;
  return number << shift;
}

CLI::Option* add_size_option(CLI::App* command, const std::string& name, uint64_t& value,
                             const std::string& description) {
  const auto take = [&value, name](const std::string& text) {
    const auto size = parse_size(text);
    if (!size) throw CLI::ValidationError(name, fmt::format("{} is no size such as 4096, 64M or 1G", text));
    value = *size;
  };
  return command->add_option_function<std::string>(name, take, description)->type_name("SIZE");
}

}  // namespace aduana
