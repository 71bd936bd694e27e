// `aduana passwd`: sets, changes and removes users of the server in its password file.

#include <fmt/format.h>

#include "access_commands.h"
#include "base/json_line.h"
#include "commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "messages.h"
#include "output.h"
#include "password_prompt.h"
#include "serve/access/password_file.h"

namespace aduana {
namespace {

struct Arguments {
  std::string file, user, role;
  bool remove = false;
  bool json = false;
};

Result<int> tell(const Arguments& arguments, const std::string& change, std::string_view role) {
  Output output;
  if (arguments.json) {
    JsonLine line;
    line.text("user", arguments.user).text("change", change);
    if (!role.empty()) line.text("role", role);
    output.write(line.line());
  } else {
    output.write(fmt::format("{}: {} {}{}\n", printable(arguments.file), printable(arguments.user), change,
                             role.empty() ? "" : fmt::format(", role {}", role)));
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

Result<int> remove(const Arguments& arguments) {
  // A file that is not there is one thing, a user that is not in it another.
  ADUANA_ASSIGN(const PasswordFile file, PasswordFile::read(arguments.file));
  const Status removed = PasswordFile::remove_user(arguments.file, arguments.user);
  if (!removed && !file.role_of(arguments.user)) {
    print_error(removed.error().message());
    return kDataProblem;
  }
  ADUANA_TRY(removed);
  return tell(arguments, "removed", "");
}

Result<int> run(const Arguments& arguments) {
  if (arguments.remove) return remove(arguments);
  std::optional<Role> role;
  if (!arguments.role.empty()) {
    ADUANA_ASSIGN(role, role_named(arguments.role));
  }
  // Before anybody types a password for nothing.
  ADUANA_TRY(PasswordFile::check_name(arguments.user));
  const auto before = PasswordFile::read(arguments.file);
  if (!before && before.error().code() != Code::not_found) return before.error();

  ADUANA_ASSIGN(const auto password, ask_for_password(arguments.user));
  if (!password) return kSignalled + interrupted();
  ADUANA_ASSIGN(const auto change, PasswordFile::set_user(arguments.file, arguments.user, password->view(), role));
  return tell(arguments, change.added ? "added" : "changed", name_of(change.role));
}

}  // namespace

void add_passwd_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      add_command(app, "passwd", "Add, change or remove a user of the server in its password file", arguments->json,
                  "the file is damaged, or there is no such user to remove", "an empty password, no file");
  command->add_option("FILE", arguments->file, "Password file; made if it is not there")->required();
  command->add_option("USER", arguments->user, "Name of the user")->required();
  auto* role =
      command
          ->add_option("--role", arguments->role,
                       "spider (reports and asks for pages), reader (looks) or admin (all); a user who is there keeps "
                       "theirs, a new one is a spider")
          ->check(CLI::IsMember({"spider", "reader", "admin"}));
  command->add_flag("--remove", arguments->remove, "Remove the user")->excludes(role);
  command->footer("The password is asked for twice on a terminal, and else is the first line of standard input.\n\n" +
                  command->get_footer());
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
