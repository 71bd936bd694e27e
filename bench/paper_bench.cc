#include "paper_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "interrupt.h"
#include "json_object.h"
#include "option_types.h"
#include "paper_plot.h"
#include "paper_urls.h"
#include "stopwatch.h"
#include "temp_dir.h"
#include "url_database.h"

namespace aduana::bench {
namespace {

constexpr const char* kOwnDatabase = "aduana";
constexpr uint64_t kLeastFreeBytes = uint64_t{2} << 30;

struct Settings {
  UrlDatabaseOptions database;
  std::vector<std::string> systems{"all"};
  uint64_t load = 1'000'000;
  uint64_t add = 3'000'000;
  uint64_t step = 100'000;
  uint64_t domains = 10'000;
  uint64_t seed = 1;
  double time_limit_s = 3600;
  std::string dir;
  std::string plot;
  bool json = false;
};

double mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Adds `count` URLs, in steps; the mean delay of each step goes to `curve` if there is one.
class Experiment {
 public:
  Experiment(UrlDatabase& database, const Settings& settings, const std::string& dir)
      : database_(database), settings_(settings), dir_(dir), urls_(settings.domains, settings.seed) {}

  Status add(uint64_t count, DelayCurve* curve) {
    while (count > 0) {
      const uint64_t step = std::min(count, settings_.step);
      const auto& urls = urls_.next(step);
      const Stopwatch watch;
      for (std::string_view url : urls) {
        ADUANA_ASSIGN(const bool is_new, database_.add(url));
        new_ += is_new;
      }
      const double us = watch.seconds() * 1e6 / static_cast<double>(step);
      added_ += step;
      count -= step;
      if (curve) {
        curve->volume.push_back(static_cast<double>(added_));
        curve->delay_us.push_back(us);
      }
      fmt::print(stderr, "{:>8}: {:.1f} M URLs, {:.2f} µs an addition\n", database_.name(),
                 static_cast<double>(added_) * 1e-6, us);
      ADUANA_TRY(may_go_on());
    }
    return {};
  }

  // The database must have as many as it called new.
  Status check_count() {
    ADUANA_ASSIGN(const uint64_t count, database_.count());
    if (count == new_) return {};
    return Error(Code::corrupt, fmt::format("{} URLs were new, but {} are there", new_, count));
  }

 private:
  Status may_go_on() const {
    if (interrupted()) return interruption();
    if (free_bytes(dir_) < kLeastFreeBytes) return Error(Code::no_space, "less than 2 GiB are free at " + dir_);
    if (wall_.seconds() > settings_.time_limit_s)
      return Error(Code::busy, "not done within --time-limit; add fewer URLs, or give it more time");
    return {};
  }

  UrlDatabase& database_;
  const Settings& settings_;
  const std::string& dir_;
  PaperUrls urls_;
  uint64_t added_ = 0;
  uint64_t new_ = 0;
  Stopwatch wall_;
};

Result<DelayCurve> run_system(const std::string& name, const Settings& settings) {
  ADUANA_ASSIGN(const TempDir temp, TempDir::make(settings.dir));
  ADUANA_ASSIGN(const std::string dir, temp.subdir(name));
  ADUANA_ASSIGN(const std::unique_ptr<UrlDatabase> database, make_url_database(name));
  UrlDatabaseOptions options = settings.database;
  options.expected_urls = settings.load + settings.add;
  ADUANA_TRY(database->open(dir, options));
  DelayCurve curve{.name = name, .volume = {}, .delay_us = {}};
  Experiment experiment(*database, settings, dir);
  ADUANA_TRY(experiment.add(settings.load, nullptr));
  ADUANA_TRY(experiment.add(settings.add, &curve));
  ADUANA_TRY(experiment.check_count());
  ADUANA_TRY(database->settle());
  ADUANA_TRY(database->close());
  return curve;
}

Result<std::vector<DelayCurve>> run_all(const Settings& settings) {
  std::vector<DelayCurve> curves;
  for (const std::string& name : url_database_names()) {
    const auto& asked = settings.systems;
    auto has = [&](const std::string& word) { return std::find(asked.begin(), asked.end(), word) != asked.end(); };
    if (!has("all") && !has(name)) continue;
    auto curve = run_system(name, settings);
    if (!curve) return curve.error().within(name);
    curves.push_back(std::move(*curve));
  }
  return curves;
}

void print_table(const std::vector<DelayCurve>& curves) {
  fmt::print("mean µs of adding one URL\n{:>10}", "M URLs");
  for (const DelayCurve& curve : curves) fmt::print("{:>12}", curve.name);
  fmt::print("\n");
  for (size_t i = 0; i < curves.front().volume.size(); ++i) {
    fmt::print("{:>10.2f}", curves.front().volume[i] * 1e-6);
    for (const DelayCurve& curve : curves) fmt::print("{:>12.2f}", curve.delay_us[i]);
    fmt::print("\n");
  }
  fmt::print("{:>10}", "mean");
  for (const DelayCurve& curve : curves) fmt::print("{:>12.2f}", mean(curve.delay_us));
  fmt::print("\n{:>10}", "ratio");
  for (const DelayCurve& curve : curves) fmt::print("{:>12.2f}", mean(curve.delay_us) / mean(curves[0].delay_us));
  fmt::print("   (to {})\n", curves[0].name);
}

std::string as_json(const std::vector<DelayCurve>& curves) {
  JsonObject mean_us;
  JsonObject delays_us;
  JsonObject ratios;
  const bool own = curves[0].name == kOwnDatabase;
  for (const DelayCurve& curve : curves) {
    mean_us.add(curve.name, mean(curve.delay_us));
    delays_us.add(curve.name, curve.delay_us);
    if (own && &curve != &curves[0]) ratios.add(curve.name, mean(curve.delay_us) / mean(curves[0].delay_us));
  }
  JsonObject json;
  json.add("volume", curves[0].volume);
  json.add("mean_us", mean_us);
  json.add("ratios", ratios);
  json.add("delays_us", delays_us);
  return json.text();
}

Status run(const Settings& settings) {
  ADUANA_ASSIGN(const auto curves, run_all(settings));
  if (curves.empty()) return Error(Code::invalid, "none of the chosen --systems is in this build");
  if (settings.json)
    fmt::print("{}\n", as_json(curves));
  else
    print_table(curves);
  return settings.plot.empty() ? Status{} : plot_delays(curves, settings.plot);
}

}  // namespace

void add_paper_bench(CLI::App& app, int& exit_code) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand(
      "paper", "Delay of adding single URLs to Aduana, Berkeley DB and PostgreSQL, as in the URL-database paper");
  add_count(command, "--load", settings->load, "URLs to load first; suffixes K, M, G");
  add_count(command, "--add", settings->add, "URLs to add then")->check(CLI::PositiveNumber);
  add_count(command, "--step", settings->step, "URLs per mean")->check(CLI::PositiveNumber);
  add_count(command, "--domains", settings->domains, "Number of random domains")->check(CLI::Range(1, 16'000'000));
  command->add_option("--systems", settings->systems, "aduana, bdb, postgres, several with commas, or all")
      ->delimiter(',')
      ->check(CLI::IsMember({"aduana", "bdb", "postgres", "all"}))
      ->option_text("NAMES [all]");
  add_bytes(command, "--cache", settings->database.cache_bytes, "Memory of each system's cache; suffixes K, M, G");
  add_durability(command, settings->database.durability);
  command->add_option("--seed", settings->seed, "Another seed is another set of URLs")->option_text("N [1]");
  command->add_option("--time-limit", settings->time_limit_s, "Time that one system may take")
      ->check(CLI::PositiveNumber)
      ->option_text(fmt::format("SECONDS [{}]", settings->time_limit_s));
  command->add_option("--dir", settings->dir, "Where to make the temporary folder; the system's place by default")
      ->option_text("DIR");
  command->add_option("--plot", settings->plot, "Draw the delays into this SVG file; needs gnuplot")
      ->option_text("FILE");
  command->add_flag("--json", settings->json, "Print one JSON object instead of a table");
  command->callback([settings, &exit_code] {
    if (const Status status = run(*settings); !status) {
      fmt::print(stderr, "aduana-bench paper: {}\n", status.error().message());
      exit_code = 1;
    }
  });
}

}  // namespace aduana::bench
