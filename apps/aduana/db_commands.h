// `aduana db …`: the commands on a store, one file each, and what they have in common on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "commands.h"
#include "store/store.h"

namespace aduana {

// Registers `db` with all its commands; the callback of the one that is called sets exit_code.
void add_db_commands(CLI::App& app, int& exit_code);

// What every command takes.
struct DbArguments {
  std::string dir;
  bool json = false;
};

// The command `name` with DB and --json, its --help ending with the exit codes: what 1 means is the command's own.
CLI::App* add_db_command(CLI::App& db, const std::string& name, const std::string& description, DbArguments& arguments,
                         const std::string& exit_code_1);

// The page that a command is about.
void add_page_option(CLI::App* command, std::string& page);

// Options of a store that is made new, and how they end up in StoreOptions.
struct NewStoreArguments {
  bool sort_query = false;
  bool strip_tracking = false;
  bool strip_sessions = false;
  bool keep_journal = false;

  void apply_to(StoreOptions& options) const;
  // Warns when the store was there already and has other settings than these ask for.
  void warn_if_ignored(const Store& store) const;
};
void add_new_store_options(CLI::App* command, NewStoreArguments& arguments, const std::string& when);

void add_db_load(CLI::App& db, int& exit_code);
void add_db_info(CLI::App& db, int& exit_code);
void add_db_dump(CLI::App& db, int& exit_code);
void add_db_find(CLI::App& db, int& exit_code);
void add_db_links(CLI::App& db, int& exit_code);
void add_db_path(CLI::App& db, int& exit_code);
void add_db_check(CLI::App& db, int& exit_code);
void add_db_rebuild(CLI::App& db, int& exit_code);
void add_db_compact(CLI::App& db, int& exit_code);
void add_db_next(CLI::App& db, int& exit_code);
void add_db_fail(CLI::App& db, int& exit_code);
void add_db_hosts(CLI::App& db, int& exit_code);
void add_db_queue(CLI::App& db, int& exit_code);

}  // namespace aduana
