// `aduana db rebuild`: everything that is derived, derived again from the journal that is kept.

#include <fmt/format.h>

#include "base/json_line.h"
#include "db_commands.h"
#include "exit_code.h"
#include "frontier/plan.h"
#include "messages.h"
#include "output.h"
#include "store/rebuild.h"

namespace aduana {
namespace {

struct RebuildArguments : DbArguments {
  NewStoreArguments settings;
};

Result<int> run(const RebuildArguments& arguments) {
  StoreOptions options;
  arguments.settings.apply_to(options);
  ADUANA_ASSIGN(const auto plan, Plan::make({}));
  options.follower = plan.get();
  ADUANA_ASSIGN(const RebuildResult result, rebuild(real_files(), arguments.dir, options));
  Output output;
  if (arguments.json) {
    output.write(JsonLine()
                     .number("urls", result.urls)
                     .json("from_journal", result.from_journal ? "true" : "false")
                     .json("settings_lost", result.settings_lost ? "true" : "false")
                     .line());
  } else if (result.from_journal) {
    output.write(fmt::format("{} URLs: everything derived from the journal\n", grouped(result.urls)));
  } else {
    output.write(
        fmt::format("{} URLs: the journal's beginning is not kept; index and counts derived from pages, links "
                    "and the journal that is\n",
                    grouped(result.urls)));
  }
  if (result.settings_lost) {
    print_warning("MANIFEST was lost, and the store's settings with it; it has those of this command line now");
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_db_rebuild(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<RebuildArguments>();
  CLI::App* command = add_db_command(db, "rebuild", "Derive everything again from the journal that is kept", *arguments,
                                     "too much is damaged; nothing was changed");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  add_new_store_options(command, arguments->settings, "when they are lost with MANIFEST");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
