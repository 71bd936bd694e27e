// `aduana db check`: every checksum and invariant of a store.

#include <fmt/format.h>

#include "db_commands.h"
#include "exit_code.h"
#include "json_line.h"
#include "messages.h"
#include "open_store.h"
#include "output.h"

namespace aduana {
namespace {

// Prints each problem when it is found: a badly damaged store has many.
class ProblemList {
 public:
  explicit ProblemList(bool json) : json_(json) {
    if (json_) output_.write("{\"problems\":[");
  }

  void add(const std::string& problem) {
    ++count_;
    if (json_) {
      std::string text = count_ > 1 ? "," : "";
      append_json_string(text, problem);
      output_.write(text);
    } else {
      output_.write(printable(problem) + '\n');
    }
  }

  Result<int> finish(uint64_t pages, uint64_t links) {
    if (json_) {
      output_.write(fmt::format("],\"pages\":{},\"links\":{}}}\n", pages, links));
    } else if (count_ == 0) {
      output_.write(fmt::format("no problems: {} pages, {} links\n", pages, links));
    } else {
      output_.write(fmt::format("{} problem{}\n", count_, count_ == 1 ? "" : "s"));
    }
    ADUANA_TRY(output_.finish());
    return count_ ? kDataProblem : kFine;
  }

 private:
  const bool json_;
  Output output_;
  uint64_t count_ = 0;
};

Result<int> run(const DbArguments& arguments) {
  const auto store = open_for_reading(arguments.dir);
  if (!store && !is_damage(arguments.dir, store.error())) return store.error();
  ProblemList problems(arguments.json);
  if (!store) {
    problems.add(store.error().message());
    return problems.finish(0, 0);
  }
  if (Status checked = (*store)->check([&](const std::string& problem) { problems.add(problem); }); !checked) {
    problems.add(checked.error().message());
  }
  const Status planned = (*store)->look(
      [&](Pages&) { return store->plan().check([&](const std::string& problem) { problems.add(problem); }); });
  if (!planned) problems.add(planned.error().message());
  ADUANA_ASSIGN(const StoreInfo info, (*store)->info());
  return problems.finish(info.pages.urls(), info.links);
}

}  // namespace

void add_db_check(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<DbArguments>();
  CLI::App* command = add_db_command(db, "check", "Verify every checksum and invariant, and list what is wrong",
                                     *arguments, "something is wrong, as listed");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
