// `aduana db queue`: the pages that wait in the queue of one host, in the order in which they will be handed out.

#include <fmt/format.h>

#include <algorithm>

#include "base/json_line.h"
#include "db_commands.h"
#include "exit_code.h"
#include "messages.h"
#include "number_argument.h"
#include "open_store.h"
#include "output.h"
#include "page_lines.h"

namespace aduana {
namespace {

struct QueueArguments : DbArguments {
  std::string host;
  std::string crawl;
  size_t limit = 20;
};

Result<int> run(const QueueArguments& arguments) {
  ADUANA_ASSIGN(const auto store, open_for_reading(arguments.dir));
  const auto queue = store.plan().find_queue(arguments.crawl, arguments.host);
  if (!queue) {
    print_error(fmt::format("{}: there is no queue {}", arguments.dir, printable(arguments.host)));
    return kDataProblem;
  }
  ADUANA_ASSIGN(std::vector<PendingEntry> pending, store.plan().pending_of(*queue));
  std::sort(pending.begin(), pending.end());
  Output output;
  const size_t shown = arguments.limit ? std::min(arguments.limit, pending.size()) : pending.size();
  for (size_t i = 0; i < shown; ++i) {
    ADUANA_ASSIGN(const PageInfo page, store->page(pending[i].page()));
    output.write(arguments.json ? JsonLine()
                                      .text("url", page.url)
                                      .number("idx", page.idx.value)
                                      .json("score", fmt::format("{}", page.score))
                                      .number("depth", page.depth)
                                      .line()
                                : fmt::format("{:.6g} {}\n", page.score, page.url));
  }
  if (!arguments.json && shown < pending.size()) {
    output.write(fmt::format("and {} more; --limit 0 lists all\n", grouped(pending.size() - shown)));
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_db_queue(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<QueueArguments>();
  CLI::App* command =
      add_db_command(db, "queue", "List the pages (score url) that wait in the queue of a host, best first", *arguments,
                     "there is no such queue, or the store is damaged");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  command->add_option("HOST", arguments->host, "Host, or the key of the queue")->required();
  command->add_option("--crawl", arguments->crawl, "The crawl that it is of");
  command->add_option("--limit", arguments->limit, "Pages to list; 0: all")
      ->check(whole_number())
      ->capture_default_str();
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
