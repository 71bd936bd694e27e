// `aduana db check`: every checksum and invariant of a store.

#include "db_commands.h"
#include "open_store.h"
#include "problem_list.h"

namespace aduana {
namespace {

Result<int> run(const DbArguments& arguments) {
  const auto store = open_for_reading(arguments.dir);
  if (!store && !is_damage(arguments.dir, store.error())) return store.error();
  ProblemList problems(arguments.json);
  if (!store) {
    problems.add(store.error().message());
    return problems.finish(0, 0);
  }
  if (Status checked = (*store)->check([&](const std::string& problem) { problems.add(problem); }); !checked) {
    problems.add(checked.error().message());
  }
  const Status planned = (*store)->look(
      [&](Pages&) { return store->plan().check([&](const std::string& problem) { problems.add(problem); }); });
  if (!planned) problems.add(planned.error().message());
  ADUANA_ASSIGN(const StoreInfo info, (*store)->info());
  return problems.finish(info.pages.urls(), info.links);
}

}  // namespace

void add_db_check(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<DbArguments>();
  CLI::App* command = add_db_command(db, "check", "Verify every checksum and invariant, and list what is wrong",
                                     *arguments, "something is wrong, as listed");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
