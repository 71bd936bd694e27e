// `aduana serve`: the frontier for spiders on other machines, over HTTP.
#pragma once

#include <CLI/CLI.hpp>

namespace aduana {

void add_serve_command(CLI::App& app, int& exit_code);

}  // namespace aduana
