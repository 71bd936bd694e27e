// The program: one file per sub-command, put together here.

#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>
#include <new>

#include "access_commands.h"
#include "db_commands.h"
#include "exit_code.h"
#include "graph_commands.h"
#include "messages.h"
#include "serve_command.h"
#include "simulate_command.h"
#include "url_command.h"

namespace {

// A word where a command was expected, if that is what was wrong.
std::string unknown_command(const CLI::App& app) {
  const auto called = app.get_subcommands();
  if (!called.empty()) return unknown_command(*called.front());
  const auto words = app.remaining();
  if (words.empty() || app.get_subcommands([](const CLI::App*) { return true; }).empty()) return "";
  return words.front();
}

int run(int argc, char** argv) {
  CLI::App app("Aduana: which page to crawl next.", "aduana");
  app.set_version_flag("--version", "aduana " ADUANA_VERSION);
  app.require_subcommand(1);
  app.footer("Each command has its own --help.");
  int exit_code = aduana::kFine;
  aduana::add_db_commands(app, exit_code);
  aduana::add_graph_commands(app, exit_code);
  aduana::add_serve_command(app, exit_code);
  aduana::add_simulate_command(app, exit_code);
  aduana::add_url_command(app, exit_code);
  aduana::add_passwd_command(app, exit_code);
  aduana::add_cert_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    const std::string word = unknown_command(app);
    aduana::print_error(word.empty() ? std::string(e.what()) + "; see --help"
                                     : "there is no command " + word + "; see --help");
    return aduana::kFailed;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // Whoever closed a standard stream must not find it in the next file that we open: reads see its end, writes fail.
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) return aduana::kFailed;
  }
  // So a file size limit is an error of write() like a full disk, not a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  // A reader that goes away is told by write(), where a load can still end in order.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    aduana::print_error("out of memory");
  } catch (const std::exception& e) {
    aduana::print_error(e.what());
  }
  return aduana::kFailed;
}
