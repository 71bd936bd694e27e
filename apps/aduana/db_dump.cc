// `aduana db dump`: every page, or every link, a line each.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/json_line.h"
#include "db_commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "open_store.h"
#include "output.h"
#include "page_lines.h"

namespace aduana {
namespace {

struct DumpArguments : DbArguments {
  std::string what;
  std::string out;
};

Status dump_info(PageInfoStream stream, bool json, Output& output) {
  while (!interrupted()) {
    ADUANA_ASSIGN(const auto page, stream.next());
    if (!page || !output.write(json ? full_json(*page) + '\n' : dump_line(*page))) break;
  }
  return {};
}

Status dump_links(LinkStream stream, bool json, Output& output) {
  std::string text;
  while (!interrupted()) {
    ADUANA_ASSIGN(const auto row, stream.next_row());
    if (!row) break;
    text.clear();
    if (json) {
      text = JsonLine().number("from", row->from.value).object();
      text.back() = ',';
      text += "\"to\":[";
      for (const PageIdx to : row->to) text += fmt::format("{},", to.value);
      text.back() = ']';
      text += "}\n";
    } else {
      for (const PageIdx to : row->to) text += fmt::format("{} {}\n", row->from.value, to.value);
    }
    if (!output.write(text)) break;
  }
  return {};
}

bool is_within(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code ignored;
  const auto inner = std::filesystem::weakly_canonical(file, ignored);
  const auto outer = std::filesystem::canonical(folder, ignored);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

Result<int> run(const DumpArguments& arguments) {
  ADUANA_ASSIGN(const auto store, open_for_reading(arguments.dir));
  if (!arguments.out.empty() && is_within(arguments.out, arguments.dir)) {
    return Error(Code::invalid,
                 fmt::format("{}: is inside the store; name a file outside of {}", arguments.out, arguments.dir));
  }
  Output output;
  ADUANA_TRY(output.open(arguments.out));
  catch_interrupts();  // so that no half-written file is left behind
  const StoreSnapshot snapshot = store->snapshot();
  ADUANA_TRY(arguments.what == "info" ? dump_info(snapshot.page_stream(), arguments.json, output)
                                      : dump_links(snapshot.link_stream(), arguments.json, output));
  if (interrupted()) return kSignalled + interrupted();
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_db_dump(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<DumpArguments>();
  CLI::App* command = add_db_command(
      db, "dump", "Write all pages (hash idx url first last n_changes n_crawls depth score) or all links (from to)",
      *arguments, "the store is damaged");
  command->add_option("WHAT", arguments->what, "info or links")->required()->check(CLI::IsMember({"info", "links"}));
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  command->add_option("OUT", arguments->out,
                      "File to write, put in place when it is whole; standard output if not given");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
