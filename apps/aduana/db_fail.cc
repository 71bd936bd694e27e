// `aduana db fail`: tells that pages could not be fetched.

#include <fmt/format.h>

#include "base/json_line.h"
#include "db_commands.h"
#include "exit_code.h"
#include "messages.h"
#include "open_store.h"
#include "output.h"

namespace aduana {
namespace {

struct FailArguments : DbArguments {
  std::vector<std::string> urls;
  std::string kind = "temporary";
  std::string target;
  std::string crawl, queue;
};

Result<int> run(const FailArguments& arguments) {
  if ((arguments.kind == "redirect") == arguments.target.empty()) {
    return Error(Code::invalid, "--kind redirect needs --to URL, and no other kind has one");
  }
  FrontierOptions options;
  options.durability = Durability::always;
  ADUANA_ASSIGN(const auto frontier, open_frontier_of(arguments.dir, options));
  std::vector<Failure> failures;
  for (const std::string& url : arguments.urls) {
    const FailureKind kind = arguments.kind == "gone"       ? FailureKind::gone
                             : arguments.kind == "excluded" ? FailureKind::excluded
                             : arguments.kind == "redirect" ? FailureKind::redirect
                                                            : FailureKind::temporary;
    failures.push_back({url, kind, {}, arguments.crawl, arguments.queue, arguments.target});
  }
  ADUANA_ASSIGN(const Outcomes outcomes, frontier->fail(failures));
  Output output;
  bool refused = false;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const std::string& url = arguments.urls[i];
    if (outcomes[i]) {
      refused = true;
      print_error(fmt::format("{}: {}", printable(url), outcomes[i]->message()));
      continue;
    }
    ADUANA_ASSIGN(const PageInfo page, frontier->page({url, arguments.crawl, arguments.queue}));
    output.write(arguments.json ? JsonLine().text("url", page.url).text("state", name_of(page.state)).line()
                                : fmt::format("{} {}\n", name_of(page.state), page.url));
  }
  ADUANA_TRY(output.finish());
  ADUANA_TRY(frontier->close());
  return refused ? kDataProblem : kFine;
}

}  // namespace

void add_db_fail(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<FailArguments>();
  CLI::App* command = add_db_command(db, "fail", "Tell that pages could not be fetched; prints what became of them",
                                     *arguments, "a page is unknown, or is not leased");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  command->add_option("URL", arguments->urls, "The pages")->required();
  command->add_option("--kind", arguments->kind, "temporary (try again), gone, excluded, or redirect")
      ->check(CLI::IsMember({"temporary", "gone", "excluded", "redirect"}))
      ->capture_default_str();
  command->add_option("--to", arguments->target, "Where a redirect leads: absolute, or relative to the page");
  command->add_option("--crawl", arguments->crawl, "The crawl that they are of");
  command->add_option("--queue", arguments->queue, "The key of their queue, if it is not the host");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
