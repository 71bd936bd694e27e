// `aduana passwd` and `aduana cert`: who may use the server, and its certificate.
#pragma once

#include <CLI/CLI.hpp>

namespace aduana {

void add_passwd_command(CLI::App& app, int& exit_code);
void add_cert_command(CLI::App& app, int& exit_code);

}  // namespace aduana
