#include "db_commands.h"

#include "messages.h"

namespace aduana {

void add_db_commands(CLI::App& app, int& exit_code) {
  CLI::App* db =
      app.add_subcommand("db", "Fill, ask and maintain a store of pages and links, and take the next pages from it");
  db->require_subcommand(1);
  add_db_load(*db, exit_code);
  add_db_info(*db, exit_code);
  add_db_dump(*db, exit_code);
  add_db_find(*db, exit_code);
  add_db_links(*db, exit_code);
  add_db_path(*db, exit_code);
  add_db_check(*db, exit_code);
  add_db_rebuild(*db, exit_code);
  add_db_compact(*db, exit_code);
  add_db_next(*db, exit_code);
  add_db_fail(*db, exit_code);
  add_db_hosts(*db, exit_code);
  add_db_queue(*db, exit_code);
}

CLI::App* add_db_command(CLI::App& db, const std::string& name, const std::string& description, DbArguments& arguments,
                         const std::string& exit_code_1) {
  return add_command(db, name, description, arguments.json, exit_code_1, "no store");
}

void add_page_option(CLI::App* command, std::string& page) {
  command->add_option("PAGE", page, "URL, or hash of 16 hexadecimal digits")->required()->type_name("URL|HASH");
}

void NewStoreArguments::apply_to(StoreOptions& options) const {
  options.canonical.sort_query = sort_query;
  options.keep_journal = keep_journal;
  const auto strip = [&](const std::vector<std::string>& names) {
    auto& all = options.canonical.strip_params;
    all.insert(all.end(), names.begin(), names.end());
  };
  if (strip_tracking) strip(CanonicalOptions::tracking_params());
  if (strip_sessions) strip(CanonicalOptions::session_params());
}

void NewStoreArguments::warn_if_ignored(const Store& store) const {
  if (!sort_query && !strip_tracking && !strip_sessions && !keep_journal) return;
  StoreOptions asked;
  apply_to(asked);
  if (store.canonical() == asked.canonical && store.keeps_journal() == keep_journal) return;
  print_warning(store.dir() + " has settings of its own, fixed when it was made; those given here change nothing");
}

void add_new_store_options(CLI::App* command, NewStoreArguments& arguments, const std::string& when) {
  const std::string group = "Settings of the store (" + when + ")";
  command->add_flag("--sort-query", arguments.sort_query, "Order the parameters of a URL's query by name")
      ->group(group);
  command->add_flag("--strip-tracking", arguments.strip_tracking, "Leave out parameters such as utm_source and gclid")
      ->group(group);
  command->add_flag("--strip-sessions", arguments.strip_sessions, "Leave out parameters such as jsessionid and sid")
      ->group(group);
  command
      ->add_flag("--keep-journal", arguments.keep_journal, "Never cut the journal: everything can be rebuilt from it")
      ->group(group);
}

}  // namespace aduana
