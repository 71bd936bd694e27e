#include "serve_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bare_server.h"
#include "json_object.h"
#include "measured_server.h"
#include "option_types.h"
#include "serve_run.h"

namespace aduana::bench {
namespace {

struct Settings {
  ServeRunOptions run;
  std::string scorer = name_of(ScorerKind::blend);
  bool json = false;
};

void print_load(const std::string& name, const LoadFigures& f) {
  fmt::print("{:<22}{:>11.0f}{:>13.0f}{:>12.0f}{:>13.0f}{:>8.2f}{:>8.2f}{:>10.2f}{:>8.2f}{:>8.2f}\n", name,
             f.requests_per_s(), f.requests_per_cpu_s(), f.links_per_s(), f.links_per_cpu_s(),
             f.latencies.percentile_ms(0.5), f.latencies.percentile_ms(0.99), f.latencies.worst_ms(),
             f.server_cpu_s / f.seconds, f.load_cpu_s / f.seconds);
}

void print_pair(const ServePair& pair) {
  print_load(pair.name, pair.aduana);
  print_load("  bare Beast", pair.bare);
  const auto [least, most] = std::minmax_element(pair.ratios.begin(), pair.ratios.end());
  fmt::print("  ratio in requests a CPU-second: {:.2f} ({:.2f} to {:.2f} in the rounds); answers of {} bytes\n",
             pair.aduana.requests_per_cpu_s() / pair.bare.requests_per_cpu_s(), *least, *most,
             pair.aduana.answer_bytes / pair.aduana.requests);
}

std::string list_of(const std::vector<double>& seconds) {
  std::string out;
  for (const double s : seconds) out += fmt::format("{}{:.2f} s", out.empty() ? "" : ", ", s);
  return out;
}

void print_latencies(const char* name, const Latencies& l, const std::vector<double>& took) {
  fmt::print("{:<22}{:>10}{:>10.2f}{:>10.2f}{:>10.2f}  {}\n", name, l.count(), l.percentile_ms(0.5),
             l.percentile_ms(0.99), l.worst_ms(), list_of(took));
}

void print_table(const ServeRunOptions& options, const ServeFigures& f) {
  fmt::print("{} connections, {} threads a server, {:.1f} M URLs of {} hosts at the end\n", options.connections,
             options.threads, static_cast<double>(f.urls) * 1e-6, options.crawl.hosts);
  fmt::print("{:<22}{:>11}{:>13}{:>12}{:>13}{:>8}{:>8}{:>10}{:>8}{:>8}\n", "", "requests/s", "req./CPU-s", "links/s",
             "links/CPU-s", "p50 ms", "p99 ms", "worst ms", "cores", "load's");
  for (const ServePair& pair : f.pairs) print_pair(pair);
  const ServeLatencies& l = f.latencies;
  fmt::print("\n{:.0f} requests for 10 pages a second, each followed by its report, with the scorer {}\n",
             options.spiders, name_of(options.scorer));
  fmt::print("{:<22}{:>10}{:>10}{:>10}{:>10}\n", "", "answers", "p50 ms", "p99 ms", "worst ms");
  print_latencies("nothing else", l.quiet, {});
  print_latencies("reports of 100 beside", l.batches, {});
  print_latencies("during checkpoints", l.checkpoints, l.checkpoint_s);
  print_latencies("during rescoring", l.rescores, l.rescore_s);
}

JsonObject json_of(const LoadFigures& f) {
  JsonObject json;
  json.add("requests", f.requests);
  json.add("requests_per_s", f.requests_per_s());
  json.add("requests_per_cpu_s", f.requests_per_cpu_s());
  json.add("links_per_s", f.links_per_s());
  json.add("links_per_cpu_s", f.links_per_cpu_s());
  json.add("answer_bytes", f.answer_bytes / f.requests);
  json.add("p50_ms", f.latencies.percentile_ms(0.5));
  json.add("p99_ms", f.latencies.percentile_ms(0.99));
  json.add("worst_ms", f.latencies.worst_ms());
  return json;
}

JsonObject json_of(const Latencies& l, const std::vector<double>& took) {
  JsonObject json;
  json.add("answers", static_cast<uint64_t>(l.count()));
  json.add("p50_ms", l.percentile_ms(0.5));
  json.add("p99_ms", l.percentile_ms(0.99));
  json.add("worst_ms", l.worst_ms());
  if (!took.empty()) json.add("took_s", took);
  return json;
}

void print_json(const ServeFigures& f) {
  JsonObject json, latencies;
  json.add("urls", f.urls);
  for (const ServePair& pair : f.pairs) {
    JsonObject both;
    both.add("aduana", json_of(pair.aduana));
    both.add("bare", json_of(pair.bare));
    both.add("ratios", pair.ratios);
    json.add(pair.name, both);
  }
  const ServeLatencies& l = f.latencies;
  latencies.add("quiet", json_of(l.quiet, {}));
  latencies.add("batches", json_of(l.batches, {}));
  latencies.add("checkpoints", json_of(l.checkpoints, l.checkpoint_s));
  latencies.add("rescoring", json_of(l.rescores, l.rescore_s));
  json.add("latencies", latencies);
  fmt::print("{}\n", json.text());
}

Status run(Settings& settings) {
  ADUANA_ASSIGN(settings.run.scorer, scorer_named(settings.scorer));
  if (settings.run.scorer == ScorerKind::content) {
    return Error(Code::invalid, "with the scorer content nothing is ever rescored; choose another one");
  }
  ADUANA_ASSIGN(const ServeFigures figures, run_serve(settings.run));
  settings.json ? print_json(figures) : print_table(settings.run, figures);
  return {};
}

void report(const Status& status, int& exit_code) {
  if (status) return;
  fmt::print(stderr, "aduana-bench serve: {}\n", status.error().message());
  exit_code = 1;
}

// The two servers: this program starts itself with these.
void add_servers(CLI::App& app, int& exit_code) {
  struct Arguments : MeasuredServerOptions {
    std::string scorer_name;
  };
  auto arguments = std::make_shared<Arguments>();
  arguments->crawl = ServeRunOptions().crawl;
  CLI::App* bare = app.add_subcommand("serve-bare")->group("");
  bare->add_option("--threads", arguments->threads)->required();
  bare->callback([arguments, &exit_code] { report(run_bare_server(arguments->threads), exit_code); });
  CLI::App* aduana = app.add_subcommand("serve-aduana")->group("");
  aduana->add_option("--dir", arguments->dir)->required();
  aduana->add_option("--scorer", arguments->scorer_name)->required();
  aduana->add_option("--threads", arguments->threads)->required();
  aduana->add_option("--urls", arguments->urls)->required();
  aduana->add_option("--hosts", arguments->crawl.hosts)->required();
  aduana->add_option("--seed", arguments->crawl.seed)->required();
  const auto serve = [arguments]() -> Status {
    ADUANA_ASSIGN(arguments->scorer, scorer_named(arguments->scorer_name));
    return run_measured_server(*arguments);
  };
  aduana->callback([serve, &exit_code] { report(serve(), exit_code); });
}

}  // namespace

void add_serve_bench(CLI::App& app, int& exit_code) {
  auto settings = std::make_shared<Settings>();
  ServeRunOptions& run_options = settings->run;
  CLI::App* command = app.add_subcommand("serve", "The server under load, beside a bare one of Boost.Beast");
  add_count(command, "--urls", run_options.urls, "In the store to begin with; suffixes K, M, G")
      ->check(CLI::PositiveNumber);
  add_count(command, "--hosts", run_options.crawl.hosts, "Number of hosts")->check(CLI::Range(1, 16'000'000));
  add_count(command, "--connections", run_options.connections, "That the load comes over")->check(CLI::Range(1, 1000));
  add_count(command, "--threads", run_options.threads, "Of each server")->check(CLI::Range(1, 1000));
  add_count(command, "--rounds", run_options.rounds, "In which the servers take turns")->check(CLI::Range(1, 100));
  command->add_option("--seconds", run_options.seconds, "Of each load in a round")
      ->check(CLI::Range(0.1, 60.0))
      ->option_text("S [3]");
  command->add_option("--spiders", run_options.spiders, "Requests for pages a second, while latencies are measured")
      ->check(CLI::Range(1.0, 100'000.0))
      ->option_text("RATE [200]");
  command->add_option("--scorer", settings->scorer, "Whose rescoring is measured: opic, page-rank, hits or blend")
      ->option_text("NAME [blend]");
  command->add_option("--seed", run_options.crawl.seed, "Another seed is another crawl")->option_text("N [1]");
  command->add_option("--dir", run_options.dir, "Where to make the temporary folder; the system's place by default")
      ->option_text("DIR");
  command->add_flag("--json", settings->json, "Print one JSON object instead of a table");
  command->callback([settings, &exit_code] { report(run(*settings), exit_code); });
  add_servers(app, exit_code);
}

}  // namespace aduana::bench
