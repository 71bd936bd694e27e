// `aduana db find`: the pages whose URL matches a regular expression.

#include <fmt/format.h>
#include <re2/re2.h>

#include "db_commands.h"
#include "exit_code.h"
#include "open_store.h"
#include "output.h"
#include "page_lines.h"

namespace aduana {
namespace {

struct FindArguments : DbArguments {
  std::string regex;
};

Result<int> run(const FindArguments& arguments) {
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 regex(arguments.regex, options);
  if (!regex.ok()) {
    return Error(Code::invalid, fmt::format("{}: not a regular expression: {}", arguments.regex, regex.error()));
  }
  ADUANA_ASSIGN(const auto store, open_for_reading(arguments.dir));
  const PagesSnapshot pages = store->snapshot().pages;
  PagesSnapshot::Cursor cursor;
  Output output;
  for (PageIdx i{0}; i.value < pages.size(); ++i.value) {
    ADUANA_ASSIGN(const Birth birth, pages.birth(i, cursor));
    if (!RE2::PartialMatch(re2::StringPiece(birth.url.data(), birth.url.size()), regex)) continue;
    ADUANA_ASSIGN(const PageRecord record, pages.record(i));
    if (record.state == PageState::deleted) continue;
    PageInfo page;  // only what is printed
    page.idx = i;
    page.url = birth.url;
    page.hash = url_hash(birth.url, birth.host_name);
    if (!output.write(arguments.json ? brief_json(page) + '\n' : brief_line(page))) break;
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_db_find(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<FindArguments>();
  CLI::App* command = add_db_command(db, "find", "List the pages (hash url) whose URL matches a regular expression",
                                     *arguments, "the store is damaged");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  command->add_option("REGEX", arguments->regex, "Found anywhere in the URL, unless it has ^ and $; RE2 syntax")
      ->required();
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
