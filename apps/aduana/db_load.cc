// `aduana db load`: crawled pages from JSON lines into a store.
//
// Lines are collected into batches; a batch is reported when it is full, when the input has nothing more to read at the
// moment, and at the end. An acknowledgement (--ack) is printed after the report returned, so whoever reads it may rely
// on all lines up to that number being stored under the chosen durability.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/json_line.h"
#include "db_commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "line_reader.h"
#include "messages.h"
#include "open_store.h"
#include "output.h"
#include "progress.h"
#include "serve/rest/crawled_messages.h"
#include "size_argument.h"

namespace aduana {
namespace {

constexpr size_t kBatchBytes = 8 << 20;  // of JSON; a larger line is a batch of its own
constexpr size_t kWarningsPerLine = 5;

struct LoadArguments : DbArguments {
  std::string file;
  std::string durability = "interval";
  NewStoreArguments settings;
  size_t batch = 500;
  int64_t from_line = 1;
  uint64_t cache = 256 << 20;
  uint64_t memtable = IndexOptions().memtable_entries;
  uint64_t checkpoint_bytes = StoreOptions().checkpoint_bytes;
  bool ack = false;

  StoreOptions store_options() const {
    StoreOptions options;
    options.create = true;
    options.journal.durability = durability == "always"     ? Durability::always
                                 : durability == "interval" ? Durability::interval
                                                            : Durability::none;
    options.pages.index.cache_bytes = cache;
    options.pages.index.memtable_entries = memtable;
    options.checkpoint_bytes = checkpoint_bytes;
    settings.apply_to(options);
    return options;
  }
};

struct Totals {
  uint64_t pages = 0, new_urls = 0, links = 0, refused_links = 0, skipped_lines = 0;
};

class Loader {
 public:
  Loader(const LoadArguments& arguments, LineReader& input, Store& store)
      : arguments_(arguments), input_(input), store_(store), started_(std::chrono::steady_clock::now()) {}

  Status run() {
    while (!interrupted() && !acks_.reader_gone()) {
      if (messages_.size() > 0 && input_.would_wait()) ADUANA_TRY(report());
      ADUANA_ASSIGN(const auto line, input_.next());
      if (!line) break;
      if (input_.number() >= static_cast<uint64_t>(arguments_.from_line)) ADUANA_TRY(take(*line));
      if (messages_.size() >= arguments_.batch || messages_.bytes() >= kBatchBytes) ADUANA_TRY(report());
      if (progress_.due()) show_progress();
    }
    ADUANA_TRY(report());
    return acks_.finish();
  }

  const Totals& totals() const { return totals_; }
  bool reader_gone() const { return acks_.reader_gone(); }
  uint64_t lines() const { return input_.number(); }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count(); }

 private:
  Status take(const LineReader::Line& line) {
    std::string_view text = line.text;
    if (input_.number() == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (line.too_long) {
      skip(input_.number(), fmt::format("longer than {} bytes", LineReader::kMaxLine));
      return {};
    }
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return {};
    if (text.size() >= kBatchBytes) ADUANA_TRY(report());
    if (Status added = messages_.add(text); added) {
      line_of_.push_back(input_.number());
    } else {
      skip(input_.number(), added.error().message());
    }
    return {};
  }

  // Hands the batch to the store; what it refuses because of the data is a bad line, anything else ends the load.
  Status report() {
    if (messages_.size() > 0) {
      const auto pages = messages_.pages();
      const auto result = store_.report(pages);
      if (!result && result.error().code() != Code::too_large) return result.error();
      for (size_t i = 0; i < pages.size(); ++i) {
        if (!result) {
          skip(line_of_[i], result.error().message());
        } else {
          ADUANA_TRY(count(line_of_[i], pages[i], result->pages[i]));
        }
      }
      if (result) totals_.new_urls += result->new_urls;
      messages_.clear();
      line_of_.clear();
    }
    if (arguments_.ack && input_.number() > acked_ && input_.number() >= static_cast<uint64_t>(arguments_.from_line)) {
      acked_ = input_.number();
      acks_.write(arguments_.json ? JsonLine().number("acked", acked_).line() : fmt::format("acked {}\n", acked_));
      acks_.flush();
    }
    return {};
  }

  Status count(uint64_t line, const ReportedPage& page, const PageOutcome& outcome) {
    if (outcome.error) {
      const Code code = outcome.error->code();
      if (code != Code::invalid && code != Code::too_large) return *outcome.error;
      skip(line, outcome.error->message());
      return {};
    }
    ++totals_.pages;
    totals_.links += page.links.size() - outcome.refused.size();
    totals_.refused_links += outcome.refused.size();
    for (size_t i = 0; i < std::min(kWarningsPerLine, outcome.refused.size()); ++i) {
      const LinkRefusal& refusal = outcome.refused[i];
      print_warning(fmt::format("line {}: link {} left out: {}: {}", line, refusal.link + 1,
                                printable(page.links[refusal.link].url, 200), refusal.error.message()));
    }
    if (outcome.refused.size() > kWarningsPerLine) {
      print_warning(fmt::format("line {}: {} more links left out", line, outcome.refused.size() - kWarningsPerLine));
    }
    return {};
  }

  void skip(uint64_t line, std::string_view reason) {
    ++totals_.skipped_lines;
    print_error(fmt::format("line {}: {}", line, reason));
  }

  void show_progress() {
    std::string line = fmt::format("{} pages, {} new URLs, {:.0f} pages/s", grouped(totals_.pages),
                                   grouped(totals_.new_urls), totals_.pages / seconds());
    if (const auto size = input_.file_size(); size && *size > 0) {
      line += fmt::format(", {:.0f} %", std::min(100.0, 100.0 * input_.bytes_taken() / *size));
    }
    progress_.show(line);
  }

  const LoadArguments& arguments_;
  LineReader& input_;
  Store& store_;
  const std::chrono::steady_clock::time_point started_;
  CrawledMessages messages_;
  std::vector<uint64_t> line_of_;  // of each message
  Totals totals_;
  uint64_t acked_ = 0;
  Output acks_;
  Progress progress_;
};

std::string summary(const LoadArguments& arguments, const Loader& loader) {
  const Totals& t = loader.totals();
  const double seconds = loader.seconds();
  const double rate = seconds > 0 ? t.pages / seconds : 0;
  if (arguments.json) {
    return JsonLine()
        .number("pages", t.pages)
        .number("new_urls", t.new_urls)
        .number("links", t.links)
        .number("refused_links", t.refused_links)
        .number("lines", loader.lines())
        .number("skipped_lines", t.skipped_lines)
        .json("seconds", fmt::format("{:.6f}", seconds))
        .json("pages_per_second", fmt::format("{:.1f}", rate))
        .line();
  }
  std::string text = fmt::format("{} with {}, {}, in {:.2f} s ({:.0f} pages/s)\n", counted(t.pages, "page"),
                                 counted(t.links, "link"), counted(t.new_urls, "new URL"), seconds, rate);
  if (t.skipped_lines) text += counted(t.skipped_lines, "line") + " skipped\n";
  if (t.refused_links) text += counted(t.refused_links, "link") + " left out\n";
  return text;
}

Result<int> run(const LoadArguments& arguments) {
  ADUANA_ASSIGN(const auto input, LineReader::open(arguments.file));  // before anything is created
  catch_interrupts();
  ADUANA_ASSIGN(const auto store, open_for_changes(arguments.dir, arguments.store_options()));
  arguments.settings.warn_if_ignored(*store);
  Loader loader(arguments, *input, *store);
  const Status loaded = loader.run();
  const Status closed = store->close();
  ADUANA_TRY(loaded);
  ADUANA_TRY(closed);
  Output output;
  Progress::erase();
  output.write(summary(arguments, loader));
  ADUANA_TRY(output.finish());
  if (interrupted()) return kSignalled + interrupted();
  if (loader.reader_gone()) return Error(Code::io, "nobody reads the acknowledgements any more; stopped");
  return loader.totals().skipped_lines ? kDataProblem : kFine;
}

}  // namespace

void add_db_load(CLI::App& db, int& exit_code) {
  auto arguments = std::make_shared<LoadArguments>();
  CLI::App* command =
      add_db_command(db, "load", "Load crawled pages, one JSON object a line, into a store (made if it is not there)",
                     *arguments, "a line was skipped, its number and the reason on standard error");
  command->add_option("DB", arguments->dir, "Folder of the store")->required();
  command->add_option("FILE", arguments->file, "File to read; - for standard input")->required();
  command
      ->add_option("--durability", arguments->durability,
                   "When a page counts as stored: synced at once, every 100 ms, or by the system")
      ->check(CLI::IsMember({"always", "interval", "none"}))
      ->capture_default_str();
  command->add_flag("--ack", arguments->ack, "Print `acked LINE` when all lines up to LINE are stored");
  command
      ->add_option("--from-line", arguments->from_line,
                   "Pass over the lines before this one, to go on where a load ended")
      ->type_name("LINE")
      ->check(CLI::Range(int64_t{1}, std::numeric_limits<int64_t>::max()));
  command->add_option("--batch", arguments->batch, "Pages handed to the store at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_size_option(command, "--cache", arguments->cache, "Memory for the cache of known URLs, such as 64M or 1G (256M)");
  add_new_store_options(command, arguments->settings, "when it is made; an existing one keeps its own");
  add_size_option(command, "--checkpoint-bytes", arguments->checkpoint_bytes, "Journal between two checkpoints (64M)")
      ->group("Tuning");
  command
      ->add_option("--memtable", arguments->memtable,
                   "New URLs that the index collects in memory before it writes a run")
      ->check(CLI::Range(uint64_t{16}, uint64_t{1} << 32))
      ->type_name("N")
      ->capture_default_str()
      ->group("Tuning");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
