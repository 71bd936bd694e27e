// `aduana db hosts`: the queues, with what waits in them and when they may be asked again.

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

struct HostsArguments : DbArguments {
  size_t limit = 50;
  std::string sort = "pending";
};

std::string as_json(const QueueStatus& queue) {
  JsonLine line;
  line.text("host", queue.key).text("crawl", queue.crawl).number("pending", queue.count(PageState::queued));
  for (size_t i = 0; i < kPageStates; ++i) line.number(name_of(static_cast<PageState>(i)), queue.pages[i]);
  line.json("temperature", fmt::format("{:.3f}", queue.temperature)).json("next_time", seconds_of(queue.next_time));
  return line.line();
}

// Seconds until it may be asked again.
std::string wait_of(const QueueStatus& queue, Instant now) {
  if (queue.next_time <= now) return "now";
  return fmt::format("{:.1f} s", static_cast<double>((queue.next_time - now).count()) / 1000);
}

std::string as_row(const QueueStatus& queue, Instant now) {
  const std::string name = queue.crawl == "DEFAULT" ? queue.key : queue.crawl + ": " + queue.key;
  return fmt::format("{:<40}{:>12}{:>9}{:>12}{:>9}{:>13.1f}{:>14}\n", printable(name, 39),
                     grouped(queue.count(PageState::queued)), grouped(queue.count(PageState::leased)),
                     grouped(queue.count(PageState::done) + queue.count(PageState::scheduled)),
                     grouped(queue.count(PageState::gone)), queue.temperature, wait_of(queue, now));
}

Result<int> run(const HostsArguments& arguments) {
  FrontierOptions options;
  options.read_only = true;
  ADUANA_ASSIGN(const auto frontier, open_frontier_of(arguments.dir, options));
  std::vector<QueueStatus> all;
  for (uint32_t from = 0;;) {
    ADUANA_ASSIGN(auto some, frontier->queues(from, 10'000));
    if (some.empty()) break;
    from = some.back().number + 1;
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  const auto value = [&](const QueueStatus& q) -> double {
    if (arguments.sort == "leased") return static_cast<double>(q.count(PageState::leased));
    if (arguments.sort == "done") return static_cast<double>(q.count(PageState::done) + q.count(PageState::scheduled));
    if (arguments.sort == "temperature") return q.temperature;
    return static_cast<double>(q.count(PageState::queued));
  };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return value(a) > value(b); });
  const size_t shown = arguments.limit ? std::min(arguments.limit, all.size()) : all.size();
  const Instant now = SystemClock().now();
  Output output;
  if (!arguments.json) {
    output.write(fmt::format("{:<40}{:>12}{:>9}{:>12}{:>9}{:>13}{:>14}\n", "host", "pending", "leased", "done", "gone",
                             "temperature", "next"));
  }
  for (size_t i = 0; i < shown; ++i) output.write(arguments.json ? as_json(all[i]) : as_row(all[i], now));
  if (!arguments.json && shown < all.size()) {
    output.write(fmt::format("and {} more; --limit 0 lists all\n", grouped(all.size() - shown)));
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_db_hosts(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<HostsArguments>();
  CLI::App* command =
      add_db_command(db, "hosts", "List the hosts with what waits, what is leased and when they are next", *arguments,
                     "the store is damaged");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  command->add_option("--limit", arguments->limit, "Hosts to list; 0: all")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--sort", arguments->sort, "By the largest: pending, leased, done or temperature")
      ->check(CLI::IsMember({"pending", "leased", "done", "temperature"}))
      ->capture_default_str();
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
