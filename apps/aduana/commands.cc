#include "commands.h"

#include "messages.h"

namespace aduana {

CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& description, bool& json,
                      const std::string& exit_code_1, const std::string& missing) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->add_flag("--json", json, "Print JSON");
  command->footer("Exit codes:\n  0  fine\n  1  " + exit_code_1 + "\n  2  nothing could be done: wrong arguments, " +
                  missing + ", no permission, a full disk or the like");
  return command;
}

void on_call(CLI::App* command, int& exit_code, std::function<Result<int>()> body) {
  command->callback([body = std::move(body), &exit_code] {
    const Result<int> result = body();
    exit_code = result ? *result : fail(result.error());
  });
}

}  // namespace aduana
