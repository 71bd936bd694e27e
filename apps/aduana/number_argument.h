// Whole numbers on the command line. By itself the parser of options takes -1 for the largest number, and one that is
// too large, too.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>

namespace aduana {

// For CLI::Option::check().
inline CLI::Validator whole_number(uint64_t least = 0) {
  const auto test = [least](const std::string& text) -> std::string {
    uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end && number >= least) return {};
    return fmt::format("{} is no whole number from {} on", text, least);
  };
  return CLI::Validator(test, "");
}

}  // namespace aduana
