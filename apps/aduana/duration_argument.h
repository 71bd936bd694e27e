// Durations on the command line: 250ms, 60s, 5m, 2h, or seconds as a bare number.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "aduana/result.h"
#include "aduana/time.h"

namespace aduana {

Result<Millis> parse_duration(const std::string& text);

// An option whose value is a duration.
CLI::Option* add_duration(CLI::App* command, const std::string& name, Millis& value, const std::string& description);

}  // namespace aduana
