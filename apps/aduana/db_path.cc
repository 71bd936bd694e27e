// `aduana db path`: how the crawl came to a page, from the seed on, by who linked whom first.

#include "base/json_line.h"
#include "db_commands.h"
#include "exit_code.h"
#include "messages.h"
#include "open_store.h"
#include "output.h"
#include "page_lines.h"

namespace aduana {
namespace {

struct PathArguments : DbArguments {
  std::string page;
};

std::string as_json(const std::vector<PageInfo>& path) {
  std::string list = "[";
  for (const PageInfo& page : path) list += brief_json(page) + ',';
  list.back() = ']';
  return JsonLine().json("path", list).line();
}

Result<int> run(const PathArguments& arguments) {
  ADUANA_ASSIGN(const auto store, open_for_reading(arguments.dir));
  ADUANA_ASSIGN(const auto pages, find_pages_or_say(*store, arguments.page));
  if (pages.empty()) return kDataProblem;
  Output output;
  for (size_t i = 0; i < pages.size(); ++i) {
    ADUANA_ASSIGN(const auto path, store->path(pages[i]));
    if (arguments.json) {
      output.write(as_json(path));
      continue;
    }
    if (i > 0) output.write("\n");  // several pages may share a hash
    for (const PageInfo& page : path) output.write(brief_line(page));
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_db_path(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<PathArguments>();
  CLI::App* command = add_db_command(db, "path", "List the pages (hash url) on the way from the seed to a page",
                                     *arguments, "the page is unknown, or the store is damaged");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  add_page_option(command, arguments->page);
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
