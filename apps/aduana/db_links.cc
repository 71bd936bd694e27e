// `aduana db links`: the pages that a page links to, and those that link to it.

#include <fmt/format.h>

#include "base/json_line.h"
#include "db_commands.h"
#include "exit_code.h"
#include "messages.h"
#include "open_store.h"
#include "output.h"
#include "page_lines.h"
#include "store/link_sources.h"

namespace aduana {
namespace {

struct LinksArguments : DbArguments {
  std::string page;
};

// One section: lines "out hash url", or the elements of a JSON list.
Status append_section(Store& store, const std::vector<PageIdx>& pages, const char* label, bool json, std::string& out) {
  for (const PageIdx idx : pages) {
    const auto page = store.page(idx);
    if (!page && page.error().code() == Code::not_found) continue;  // deleted
    if (!page) return page.error();
    out += json ? brief_json(*page) + ',' : fmt::format("{} {}", label, brief_line(*page));
  }
  if (json && !out.empty()) out.pop_back();
  return {};
}

Result<int> run(const LinksArguments& arguments) {
  ADUANA_ASSIGN(const auto store, open_for_reading(arguments.dir));
  ADUANA_ASSIGN(const auto pages, find_pages_or_say(*store, arguments.page));
  if (pages.empty()) return kDataProblem;
  ADUANA_ASSIGN(const auto sources, link_sources(store->snapshot(), pages));
  Output output;
  for (size_t i = 0; i < pages.size(); ++i) {
    ADUANA_ASSIGN(const PageInfo page, store->page(pages[i]));
    ADUANA_ASSIGN(const LinkList targets, store->links_of(page.idx));
    std::string out, in;
    ADUANA_TRY(append_section(*store, targets.targets, "out", arguments.json, out));
    ADUANA_TRY(append_section(*store, sources[i], "in", arguments.json, in));
    if (arguments.json) {
      output.write(
          JsonLine().json("page", brief_json(page)).json("out", '[' + out + ']').json("in", '[' + in + ']').line());
    } else {
      output.write(out);
      output.write(in);
    }
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_db_links(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<LinksArguments>();
  CLI::App* command =
      add_db_command(db, "links", "List a page's links (out hash url), and the pages linking to it (in hash url)",
                     *arguments, "the page is unknown, or the store is damaged");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  add_page_option(command, arguments->page);
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
