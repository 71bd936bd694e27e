// `aduana db compact`: gives back the space that replaced links and merged index runs hold.

#include <fmt/format.h>

#include "base/json_line.h"
#include "db_commands.h"
#include "exit_code.h"
#include "messages.h"
#include "open_store.h"
#include "output.h"

namespace aduana {
namespace {

Result<int> run(const DbArguments& arguments) {
  ADUANA_ASSIGN(const auto store, open_for_changes(arguments.dir, StoreOptions{}));
  ADUANA_ASSIGN(const StoreInfo before, store->info());
  ADUANA_TRY(store->compact());
  ADUANA_ASSIGN(const StoreInfo after, store->info());
  ADUANA_TRY(store->close());
  Output output;
  output.write(arguments.json ? JsonLine().number("bytes_before", before.bytes).number("bytes", after.bytes).line()
                              : fmt::format("{} bytes, {} before\n", grouped(after.bytes), grouped(before.bytes)));
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_db_compact(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<DbArguments>();
  CLI::App* command = add_db_command(db, "compact", "Rewrite what holds dead space, and merge the index into one run",
                                     *arguments, "the store is damaged");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
