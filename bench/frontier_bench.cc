#include "frontier_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "aduana/frontier.h"
#include "crawl_workload.h"
#include "interrupt.h"
#include "json_object.h"
#include "option_types.h"
#include "pending_memory.h"
#include "stopwatch.h"
#include "temp_dir.h"
#include "threaded_crawl.h"

namespace aduana::bench {
namespace {

constexpr double kProgressSeconds = 5;
// The original: 3,100 pages a CPU-second at this size, and nothing was ever synced (docs/benchmarks.md).
constexpr double kOriginalPagesPerCpuSecond = 3100;

struct Settings {
  CrawlOptions crawl{.links = 20, .new_fraction = 0.39};
  uint64_t urls = 8'000'000;
  uint64_t batch = 100;
  uint64_t cache_bytes = uint64_t{1} << 30;
  uint64_t pending = 100'000'000;
  std::vector<std::string> scorers;
  std::string dir;
  bool json = false;
};

struct Figures {
  uint64_t urls = 0, pages = 0, empty_requests = 0;
  double pages_per_cpu_s = 0, request_us_per_url = 0, worst_request_ms = 0, worst_report_ms = 0;
  double pages_per_s = 0;
  double pending_bytes_per_url = 0;
  double reopen_s = 0;
  ScoringStatus scoring;
};

class FrontierRun {
 public:
  FrontierRun(const Settings& settings, const PolitenessOptions& politeness, ScorerKind scorer, std::string dir)
      : settings_(settings), dir_(std::move(dir)), workload_(settings.crawl) {
    options_.politeness = politeness;
    options_.scoring.scorer = scorer;
    options_.cache_bytes = settings.cache_bytes;
  }

  Result<Figures> run(const char* name) {
    ADUANA_ASSIGN(frontier_, Frontier::open(dir_, options_));
    const double cpu_before = process_cpu_seconds();
    const Stopwatch wall;
    double next_progress = kProgressSeconds;
    workload_.generate(1, reports_);
    ADUANA_TRY(report());
    while (workload_.known() < settings_.urls) {
      ADUANA_TRY(step());
      if (interrupted()) return interruption();
      if (wall.seconds() > next_progress) {
        next_progress += kProgressSeconds;
        fmt::print(stderr, "{:>12}: {:5.1f} M URLs, {} pages\n", name, static_cast<double>(workload_.known()) * 1e-6,
                   figures_.pages);
      }
    }
    const double cpu = process_cpu_seconds() - cpu_before - generator_cpu_s_;
    figures_.pages_per_cpu_s = static_cast<double>(figures_.pages) / cpu;
    figures_.pages_per_s = static_cast<double>(figures_.pages) / (request_s_ + report_s_);
    figures_.request_us_per_url = request_s_ * 1e6 / static_cast<double>(figures_.pages);
    ADUANA_ASSIGN(const FrontierStats stats, frontier_->stats());
    figures_.urls = stats.urls;
    figures_.scoring = stats.scoring;
    figures_.pending_bytes_per_url = static_cast<double>(stats.pending_bytes) /
                                     static_cast<double>(std::max<uint64_t>(1, stats.count(PageState::queued)));
    ADUANA_TRY(frontier_->close());
    frontier_.reset();
    const Stopwatch reopening;
    ADUANA_ASSIGN(frontier_, Frontier::open(dir_, options_));
    ADUANA_TRY(frontier_->request(1));
    figures_.reopen_s = reopening.seconds();
    ADUANA_TRY(frontier_->close());
    return figures_;
  }

 private:
  Status step() {
    const Stopwatch watch;
    ADUANA_ASSIGN(const auto requests, frontier_->request(settings_.batch));
    const double s = watch.seconds();
    request_s_ += s;
    figures_.worst_request_ms = std::max(figures_.worst_request_ms, s * 1e3);
    if (requests.empty()) {
      ++figures_.empty_requests;
      return {};
    }
    const double cpu_before = thread_cpu_seconds();
    numbers_.clear();
    for (const Request& request : requests) numbers_.push_back(request.page.value);
    workload_.generate_for(numbers_, reports_);
    generator_cpu_s_ += thread_cpu_seconds() - cpu_before;
    figures_.pages += requests.size();
    return report();
  }

  Status report() {
    links_.clear();
    links_.reserve(reports_.links());
    pages_.clear();
    for (const BenchPage& page : reports_.pages()) {
      const size_t first = links_.size();
      for (const BenchLink& link : page.links) links_.push_back({link.url, link.score, kDefaultPriority});
      ReportedPage reported;
      reported.url = page.url;
      reported.score = page.score;
      reported.content_hash = page.content_hash;
      reported.links = std::span<const ReportedLink>(links_).subspan(first);
      pages_.push_back(reported);
    }
    const Stopwatch watch;
    ADUANA_TRY(frontier_->report(pages_));
    const double s = watch.seconds();
    report_s_ += s;
    figures_.worst_report_ms = std::max(figures_.worst_report_ms, s * 1e3);
    return {};
  }

  const Settings& settings_;
  const std::string dir_;
  CrawlWorkload workload_;
  FrontierOptions options_;
  std::unique_ptr<Frontier> frontier_;
  CrawlBatch reports_;
  std::vector<uint64_t> numbers_;
  std::vector<ReportedPage> pages_;
  std::vector<ReportedLink> links_;
  double request_s_ = 0, report_s_ = 0, generator_cpu_s_ = 0;
  Figures figures_;
};

Result<Figures> run_one(const Settings& settings, const char* name, const PolitenessOptions& politeness,
                        ScorerKind scorer = ScorerKind::content) {
  ADUANA_ASSIGN(const TempDir temp, TempDir::make(settings.dir));
  ADUANA_ASSIGN(const std::string dir, temp.subdir("frontier"));
  return FrontierRun(settings, politeness, scorer, dir).run(name);
}

void print_row(const char* name, const Figures& f) {
  fmt::print("{:<10}{:>9.1f}{:>11}{:>13.0f}{:>9.1f}{:>11.0f}{:>12.2f}{:>11.2f}{:>11.2f}{:>11.1f}{:>10.2f}\n", name,
             static_cast<double>(f.urls) * 1e-6, f.pages, f.pages_per_cpu_s,
             f.pages_per_cpu_s / kOriginalPagesPerCpuSecond, f.pages_per_s, f.request_us_per_url, f.worst_request_ms,
             f.worst_report_ms, f.pending_bytes_per_url, f.reopen_s);
}

void add_to(JsonObject& json, const Figures& f) {
  json.add("urls", f.urls);
  json.add("pages", f.pages);
  json.add("pages_per_cpu_s", f.pages_per_cpu_s);
  json.add("pages_per_s", f.pages_per_s);
  json.add("request_us_per_url", f.request_us_per_url);
  json.add("worst_request_ms", f.worst_request_ms);
  json.add("worst_report_ms", f.worst_report_ms);
  json.add("pending_bytes_per_url", f.pending_bytes_per_url);
  json.add("reopen_s", f.reopen_s);
}

constexpr unsigned kThreads[] = {1, 2, 4};

// Pages a second with so many threads that request and report, each in a store of its own.
Result<std::vector<double>> run_threads(const Settings& settings) {
  std::vector<double> rates;
  for (const unsigned threads : kThreads) {
    ThreadedOptions options;
    options.threads = threads;
    options.urls = settings.urls / 4;
    options.links = settings.crawl.links;
    options.new_fraction = settings.crawl.new_fraction;
    options.hosts = settings.crawl.hosts;
    options.batch = settings.batch;
    options.cache_bytes = settings.cache_bytes;
    ADUANA_ASSIGN(const TempDir temp, TempDir::make(settings.dir));
    ADUANA_ASSIGN(const std::string dir, temp.subdir("frontier"));
    ADUANA_ASSIGN(const double rate, crawl_with_threads(options, dir));
    rates.push_back(rate);
  }
  return rates;
}

Status run(const Settings& settings) {
  PendingFigures pending;
  if (settings.pending > 0) {
    ADUANA_ASSIGN(pending, measure_pending(settings.pending, settings.crawl.hosts));
  }
  ADUANA_ASSIGN(const Figures free, run_one(settings, "no limits", PolitenessOptions::none()));
  PolitenessOptions documented = PolitenessOptions::none();
  documented.soft_rate = 0.25;
  documented.hard_rate = 100;
  ADUANA_ASSIGN(const Figures limited, run_one(settings, "limits", documented));
  std::vector<Figures> scored;
  for (const std::string& name : settings.scorers) {
    ADUANA_ASSIGN(const ScorerKind scorer, scorer_named(name));
    ADUANA_ASSIGN(const Figures figures, run_one(settings, name.c_str(), PolitenessOptions::none(), scorer));
    scored.push_back(figures);
  }
  ADUANA_ASSIGN(const std::vector<double> rates, run_threads(settings));
  if (settings.json) {
    JsonObject json, limits, threads, scorers;
    add_to(json, free);
    add_to(limits, limited);
    json.add("limits", limits);
    for (size_t i = 0; i < scored.size(); ++i) {
      JsonObject with_scorer;
      add_to(with_scorer, scored[i]);
      with_scorer.add("updates", scored[i].scoring.updates);
      with_scorer.add("moved", scored[i].scoring.moved);
      scorers.add(settings.scorers[i], with_scorer);
    }
    if (!scored.empty()) json.add("scorers", scorers);
    for (size_t i = 0; i < rates.size(); ++i) threads.add(std::to_string(kThreads[i]), rates[i]);
    json.add("threads", threads);
    json.add("pending", pending.pending);
    json.add("pending_gb", pending.gigabytes);
    fmt::print("{}\n", json.text());
    return {};
  }
  fmt::print("{:<10}{:>9}{:>11}{:>13}{:>9}{:>11}{:>12}{:>11}{:>11}{:>11}{:>10}\n", "", "M URLs", "pages", "pages/CPU-s",
             "ratio", "pages/s", "req µs/URL", "worst ms", "report ms", "B/pending", "reopen s");
  print_row("no limits", free);
  print_row("0.25/100", limited);
  for (size_t i = 0; i < scored.size(); ++i) print_row(settings.scorers[i].c_str(), scored[i]);
  fmt::print("ratio: to the {:.0f} pages a CPU-second of the original, which synced nothing.\n",
             kOriginalPagesPerCpuSecond);
  for (size_t i = 0; i < scored.size(); ++i) {
    fmt::print("{}: {} updates of the scores, the last in {:.2f} s; {:.2f} M times a page was put elsewhere\n",
               settings.scorers[i], scored[i].scoring.updates,
               std::chrono::duration<double>(scored[i].scoring.took).count(),
               static_cast<double>(scored[i].scoring.moved) * 1e-6);
  }
  for (size_t i = 0; i < rates.size(); ++i) {
    fmt::print("{} reporting thread{}: {:.0f} pages/s, {:.2f} times that of one\n", kThreads[i], i ? "s" : " ",
               rates[i], rates[i] / rates[0]);
  }
  if (settings.pending > 0) {
    fmt::print("{:.0f} M pending pages: {:.2f} GB, {:.1f} bytes each; {:.2f} µs to take one\n",
               static_cast<double>(pending.pending) * 1e-6, pending.gigabytes, pending.bytes_per_url, pending.take_us);
  }
  return {};
}

}  // namespace

void add_frontier_bench(CLI::App& app, int& exit_code) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("frontier", "A crawl through the frontier: request and report");
  add_count(command, "--urls", settings->urls, "Grow to this many URLs; suffixes K, M, G")->check(CLI::PositiveNumber);
  add_count(command, "--links", settings->crawl.links, "Links a page, on average")->check(CLI::Range(1, 10'000));
  add_count(command, "--hosts", settings->crawl.hosts, "Number of hosts")->check(CLI::Range(1, 16'000'000));
  add_count(command, "--batch", settings->batch, "Pages a request and a report")->check(CLI::Range(1, 100'000));
  add_count(command, "--pending", settings->pending, "Pending pages whose memory is measured; 0: not at all");
  command->add_option("--scorer", settings->scorers, "Crawl once more with this scorer, while it computes; repeatable")
      ->option_text("NAME");
  add_bytes(command, "--cache", settings->cache_bytes, "Memory of the cache of URLs; suffixes K, M, G");
  command->add_option("--seed", settings->crawl.seed, "Another seed is another crawl")->option_text("N [1]");
  command->add_option("--dir", settings->dir, "Where to make the temporary folder; the system's place by default")
      ->option_text("DIR");
  command->add_flag("--json", settings->json, "Print one JSON object instead of a table");
  command->callback([settings, &exit_code] {
    if (const Status status = run(*settings); !status) {
      fmt::print(stderr, "aduana-bench frontier: {}\n", status.error().message());
      exit_code = 1;
    }
  });
}

}  // namespace aduana::bench
