#include "freshness_bench.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <numeric>
#include <vector>

#include "aduana/recrawl_policies.h"
#include "json_object.h"
#include "option_types.h"
#include "schedule/freshness.h"
#include "simulated_web.h"

namespace aduana::bench {
namespace {

constexpr double kShapes[] = {1, 0.5, 0.1};  // of the gamma distribution: the smaller, the more unlike the pages

struct Row {
  double shape = 0;
  double optimum = 0;
  SimulatedRun optimal, uniform, proportional;
  double proportional_known = 0;  // computed, for known rates
};

Result<Row> measure(double shape, const FreshnessBenchOptions& options) {
  const double budget = static_cast<double>(options.pages) * options.visits;  // a unit
  const double unit_seconds = std::chrono::duration<double>(kSimulatedUnit).count();
  const SimulatedWeb web(gamma_rates(options.pages, shape, options.seed), options.seed);
  const std::vector<double>& rates = web.change_rates();
  // Proportional visits know no budget: they are told how many visits a change it allows.
  const double scale = budget / std::accumulate(rates.begin(), rates.end(), 0.0);

  ADUANA_ASSIGN(const auto optimal, OptimalFreshness::make({.budget = budget / unit_seconds}));
  ADUANA_ASSIGN(const auto uniform, FixedPeriod::make(std::chrono::round<Millis>(kSimulatedUnit / options.visits)));
  ADUANA_ASSIGN(const auto proportional,
                ChangeProportional::make({.default_frequency = options.visits / unit_seconds, .scale = scale}));
  Row row;
  row.shape = shape;
  row.optimum = mean_freshness(rates, optimal_visit_rates(rates, budget));
  row.proportional_known = freshness(1, scale);
  row.optimal = web.crawl(*optimal, options.units, options.warm_up);
  row.uniform = web.crawl(*uniform, options.units, options.warm_up);
  row.proportional = web.crawl(*proportional, options.units, options.warm_up);
  return row;
}

void print_table(const std::vector<Row>& rows) {
  fmt::print("{:<8}{:>9}{:>11}{:>8}{:>8}{:>11}{:>8}{:>14}{:>8}{:>8}\n", "gamma k", "optimum", "optimal", "ratio",
             "visits", "uniform", "visits", "proportional", "visits", "known");
  for (const Row& row : rows) {
    fmt::print("{:<8}{:>9.4f}{:>11.4f}{:>8.4f}{:>8.3f}{:>11.4f}{:>8.3f}{:>14.4f}{:>8.3f}{:>8.4f}\n", row.shape,
               row.optimum, row.optimal.freshness, row.optimal.freshness / row.optimum, row.optimal.visits,
               row.uniform.freshness, row.uniform.visits, row.proportional.freshness, row.proportional.visits,
               row.proportional_known);
  }
  fmt::print(
      "Mean freshness after the warm-up, and visits a page and unit. Policies see no more of the change rates than\n"
      "whether a page has changed since their last visit; optimum and known are computed from the rates.\n");
}

std::string as_json(const std::vector<Row>& rows, const FreshnessBenchOptions& options) {
  JsonObject json;
  json.add("bench", "freshness");
  json.add("pages", options.pages);
  json.add("visits", options.visits);
  json.add("units", options.units);
  json.add("warm_up", options.warm_up);
  JsonObject by_shape;
  for (const Row& row : rows) {
    JsonObject one;
    one.add("optimum", row.optimum);
    one.add("optimal", row.optimal.freshness);
    one.add("uniform", row.uniform.freshness);
    one.add("proportional", row.proportional.freshness);
    one.add("proportional_known", row.proportional_known);
    one.add("ratio", row.optimal.freshness / row.optimum);
    one.add("optimal_visits", row.optimal.visits);
    one.add("uniform_visits", row.uniform.visits);
    one.add("proportional_visits", row.proportional.visits);
    by_shape.add(fmt::format("{}", row.shape), one);
  }
  json.add("k", by_shape);
  return json.text();
}

Status run(const FreshnessBenchOptions& options) {
  if (options.warm_up >= options.units) {
    return Error(Code::invalid, fmt::format("a warm-up of {} of {} units leaves nothing to measure; ask for more units",
                                            options.warm_up, options.units));
  }
  std::vector<Row> rows;
  for (const double shape : kShapes) {
    ADUANA_ASSIGN(rows.emplace_back(), measure(shape, options));
  }
  if (options.json) {
    fmt::print("{}\n", as_json(rows, options));
  } else {
    print_table(rows);
  }
  return {};
}

}  // namespace

int run_freshness_bench(const FreshnessBenchOptions& options) {
  const Status status = run(options);
  if (!status) fmt::print(stderr, "aduana-bench freshness: {}\n", status.error().message());
  return status ? 0 : 1;
}

void add_freshness_bench(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FreshnessBenchOptions>();
  CLI::App* command = app.add_subcommand("freshness", "Recrawl a simulated web; each policy beside the optimum");
  add_count(command, "--pages", options->pages, "Pages of the web")->check(CLI::Range(1, 10'000'000));
  command->add_option("--visits", options->visits, "Visits that can be made, a page and unit")
      ->check(CLI::Range(0.001, 1000.0))
      ->option_text(fmt::format("N [{}]", options->visits));
  command->add_option("--units", options->units, "Time to simulate")
      ->check(CLI::Range(0.0, 10'000.0))
      ->option_text(fmt::format("TIME [{}]", options->units));
  command->add_option("--warm-up", options->warm_up, "Of that, time that does not count")
      ->check(CLI::NonNegativeNumber)
      ->option_text(fmt::format("TIME [{}]", options->warm_up));
  command->add_option("--seed", options->seed, "Another seed is another web")->option_text("N [1]");
  command->add_flag("--json", options->json, "Print one JSON object instead of a table");
  command->callback([options, &exit_code] { exit_code = run_freshness_bench(*options); });
}

}  // namespace aduana::bench
