// Sizes on the command line: 4096, 64K, 64M, 1G, 2T, with or without B or iB behind; always in steps of 1024.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aduana {

// Nothing when it is no size, or more than 64 bits hold.
std::optional<uint64_t> parse_size(std::string_view text);

CLI::Option* add_size_option(CLI::App* command, const std::string& name, uint64_t& value,
                             const std::string& description);

}  // namespace aduana
