// `aduana db info`: how much is in a store, and where its bytes are.

#include <fmt/format.h>

#include <map>

#include "base/json_line.h"
#include "db_commands.h"
#include "exit_code.h"
#include "messages.h"
#include "open_store.h"
#include "output.h"

namespace aduana {
namespace {

// "urls-000001.log" and its like belong together, as do all files of a folder.
std::string group_of(const std::string& file) {
  if (const size_t slash = file.find('/'); slash != std::string::npos) return file.substr(0, slash + 1);
  if (const size_t dash = file.find('-'); dash != std::string::npos && file.ends_with(".log")) {
    return file.substr(0, dash) + ".log";
  }
  return file;
}

std::map<std::string, uint64_t> bytes_by_group(const StoreInfo& info) {
  std::map<std::string, uint64_t> groups;
  for (const auto& [file, bytes] : info.files) groups[group_of(file)] += bytes;
  return groups;
}

double per_url(uint64_t bytes, const StoreInfo& info) {
  return info.pages.urls() ? static_cast<double>(bytes) / static_cast<double>(info.pages.urls()) : 0;
}

std::string as_json(const std::string& dir, const StoreInfo& info) {
  JsonLine line;
  line.text("store", dir).number("urls", info.pages.urls()).number("crawled", info.pages.crawled);
  line.number("links", info.links).number("hosts", info.hosts);
  for (size_t state = 0; state < kPageStates; ++state) {
    line.number(name_of(static_cast<PageState>(state)), info.pages.by_state[state]);
  }
  line.number("bytes", info.bytes).json("bytes_per_url", fmt::format("{:.1f}", per_url(info.bytes, info)));
  JsonLine files;
  for (const auto& [file, bytes] : info.files) files.number(file, bytes);
  line.json("bytes_by_file", files.object());
  line.number("lsn", info.lsn).number("checkpoint_lsn", info.checkpoint_lsn);
  line.number("journal_first_lsn", info.journal_first_lsn);
  return line.line();
}

std::string as_table(const std::string& dir, const StoreInfo& info) {
  std::string out = fmt::format("{}\n\n", printable(dir));
  const auto row = [&](std::string_view name, uint64_t value) {
    out += fmt::format("{:<14}{:>18}\n", name, grouped(value));
  };
  row("urls", info.pages.urls());
  for (size_t state = 0; state < kPageStates; ++state) {
    row(fmt::format("  {}", name_of(static_cast<PageState>(state))), info.pages.by_state[state]);
  }
  row("crawled", info.pages.crawled);
  row("links", info.links);
  row("hosts", info.hosts);
  row("lsn", info.lsn);
  row("  checkpoint", info.checkpoint_lsn);
  row("  journal from", info.journal_first_lsn);
  out += fmt::format("\n{:<14}{:>18}{:>12}\n", "files", "bytes", "per url");
  const auto bytes_row = [&](std::string_view name, uint64_t bytes) {
    out += fmt::format("{:<14}{:>18}{:>12.1f}\n", name, grouped(bytes), per_url(bytes, info));
  };
  for (const auto& [group, bytes] : bytes_by_group(info)) bytes_row("  " + group, bytes);
  bytes_row("total", info.bytes);
  return out;
}

Result<int> run(const DbArguments& arguments) {
  ADUANA_ASSIGN(const auto store, open_for_reading(arguments.dir));
  ADUANA_ASSIGN(const StoreInfo info, store->info());
  Output output;
  output.write(arguments.json ? as_json(arguments.dir, info) : as_table(arguments.dir, info));
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_db_info(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<DbArguments>();
  CLI::App* command = add_db_command(db, "info", "Show counts by state, links, bytes and the journal's position (LSN)",
                                     *arguments, "the store is damaged");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
