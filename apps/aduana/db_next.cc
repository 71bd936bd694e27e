// `aduana db next`: the pages to crawl next, leased for a time.

#include <fmt/format.h>

#include <limits>

#include "base/json_line.h"
#include "db_commands.h"
#include "duration_argument.h"
#include "exit_code.h"
#include "open_store.h"
#include "output.h"
#include "page_lines.h"

namespace aduana {
namespace {

struct NextArguments : DbArguments {
  int64_t n = 10;
  Millis lease = FrontierOptions().lease;
  Millis delay = PolitenessOptions().min_delay;
  std::string order = "best-first";
  std::string scorer = "content";
  std::string crawl, host;
  uint32_t per_host = 0;
};

std::string as_json(const Request& request) {
  return JsonLine()
      .text("url", request.url)
      .number("idx", request.page.value)
      .json("score", fmt::format("{}", request.score))
      .number("depth", request.depth)
      .text("crawl", request.crawl)
      .text("queue", request.queue)
      .text("metadata", request.metadata)
      .json("lease_end", seconds_of(request.lease_end))
      .line();
}

Result<int> run(const NextArguments& arguments) {
  FrontierOptions options;
  ADUANA_ASSIGN(options.order, order_named(arguments.order));
  ADUANA_ASSIGN(options.scoring.scorer, scorer_named(arguments.scorer));
  options.background = false;  // so that scores are there before anything is taken
  options.politeness.min_delay = arguments.delay;
  options.durability = Durability::always;  // what is printed must stay leased
  ADUANA_ASSIGN(const auto frontier, open_frontier_of(arguments.dir, options));
  RequestOptions request;
  request.lease = arguments.lease;
  request.crawl = arguments.crawl;
  request.queue = arguments.host;
  request.per_queue = arguments.per_host;
  ADUANA_ASSIGN(const auto requests, frontier->request(static_cast<size_t>(arguments.n), request));
  Output output;
  for (const Request& next : requests) output.write(arguments.json ? as_json(next) : next.url + '\n');
  ADUANA_TRY(output.finish());
  ADUANA_TRY(frontier->close());
  return kFine;
}

}  // namespace

void add_db_next(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<NextArguments>();
  CLI::App* command = add_db_command(
      db, "next", "List the pages to crawl next, and lease them: load what was crawled, or they return to their queues",
      *arguments, "the store is damaged");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  command->add_option("-n,--number", arguments->n, "Pages, at most")
      ->check(CLI::Range(int64_t{0}, std::numeric_limits<int64_t>::max()))
      ->option_text("N [10]");
  add_duration(command, "--lease", arguments->lease, "How long they are leased");
  add_duration(command, "--delay", arguments->delay, "Between two requests to a host, at least");
  command->add_option("--order", arguments->order, "best-first, breadth-first, priority-first or oldest-first")
      ->capture_default_str();
  command
      ->add_option("--scorer", arguments->scorer, "What is best: content (as reported), opic, page-rank, hits or blend")
      ->capture_default_str();
  command->add_option("--crawl", arguments->crawl, "Of this crawl only");
  command->add_option("--host", arguments->host, "Of this host, or queue key, only");
  command->add_option("--per-host", arguments->per_host, "No more of one host than this");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
