// Options of the sub-commands whose values have a form of their own: counts and sizes with suffixes, durability.
// Each shows its default in the help.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "durability.h"

namespace aduana::bench {

// A number of things; K, M and G are powers of 1000.
inline CLI::Option* add_count(CLI::App* command, const std::string& name, uint64_t& value, const std::string& help) {
  const std::string text = value > 0 ? fmt::format("N [{}]", value) : "N";
  return command->add_option(name, value, help)->transform(CLI::AsSizeValue(true))->option_text(text);
}

// A number of bytes; K, M and G are powers of 1024.
inline CLI::Option* add_bytes(CLI::App* command, const std::string& name, uint64_t& value, const std::string& help) {
  const std::string text = fmt::format("BYTES [{}M]", value >> 20);
  return command->add_option(name, value, help)->transform(CLI::AsSizeValue(false))->option_text(text);
}

inline CLI::Option* add_durability(CLI::App* command, Durability& value) {
  return command
      ->add_option("--durability", value,
                   "always: synced before the answer; interval: synced within 100 ms; none: survives only the process")
      ->transform(CLI::CheckedTransformer(durability_names()))
      ->option_text("WORD [interval]");
}

}  // namespace aduana::bench
