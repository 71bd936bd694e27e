// What the commands of the program have in common on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "aduana/result.h"

namespace aduana {

// The command `name` with --json, its --help ending with the exit codes: what 1 means is the command's own, and what
// may be missing when nothing could be done.
CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& description, bool& json,
                      const std::string& exit_code_1, const std::string& missing);

// Runs `body` when the command is called. An error that it returns is printed.
void on_call(CLI::App* command, int& exit_code, std::function<Result<int>()> body);

}  // namespace aduana
