#include "store_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "json_object.h"
#include "option_types.h"
#include "store_run.h"

namespace aduana::bench {
namespace {

constexpr const char* kOwnStore = "aduana";

struct Settings {
  StoreRunOptions run;
  std::vector<std::string> baselines{"all"};
  uint64_t baseline_urls = 0;
  unsigned repeat = 1;
  bool json = false;
};

std::vector<std::string> chosen_stores(const Settings& settings) {
  const auto& asked = settings.baselines;
  auto has = [&](const std::string& name) { return std::find(asked.begin(), asked.end(), name) != asked.end(); };
  std::vector<std::string> chosen;
  for (const std::string& name : store_names())
    if (name == kOwnStore || has("all") || has(name)) chosen.push_back(name);
  return chosen;
}

// Each store in turn, and all of them again as often as asked; of each the run with the median rate.
Result<std::vector<StoreFigures>> run_all(const Settings& settings) {
  const std::vector<std::string> names = chosen_stores(settings);
  std::vector<std::vector<StoreFigures>> runs(names.size());
  for (unsigned round = 0; round < settings.repeat; ++round) {
    for (size_t i = 0; i < names.size(); ++i) {
      StoreRunOptions run = settings.run;
      if (names[i] != kOwnStore && settings.baseline_urls > 0) run.urls = settings.baseline_urls;
      auto figures = run_store(names[i], run);
      if (!figures) return figures.error().within(names[i]);
      if (settings.repeat > 1)
        fmt::print(stderr, "{:>8}: {:.0f} links/s in round {}\n", names[i], figures->headline(), round + 1);
      runs[i].push_back(*figures);
    }
  }
  std::vector<StoreFigures> all;
  for (auto& of_one : runs) {
    const auto middle = of_one.begin() + static_cast<ptrdiff_t>(of_one.size() / 2);
    std::nth_element(of_one.begin(), middle, of_one.end(),
                     [](const auto& a, const auto& b) { return a.headline() < b.headline(); });
    all.push_back(*middle);
  }
  return all;
}

// Aduana's rate over that of the best baseline; 0 when there is nothing to compare.
double ratio(const std::vector<StoreFigures>& all) {
  double own = 0;
  double best = 0;
  for (const StoreFigures& f : all) {
    if (f.name == kOwnStore)
      own = f.headline();
    else
      best = std::max(best, f.headline());
  }
  return best > 0 ? own / best : 0;
}

void print_table(const std::vector<StoreFigures>& all) {
  fmt::print("{:<9}{:>9}{:>13}{:>13}{:>13}{:>13}{:>11}{:>10}{:>10}{:>10}\n", "store", "M URLs", "links/s", "overall",
             "cold", "pages/CPU-s", "bytes/URL", "worst s", "settle s", "reopen s");
  for (const StoreFigures& f : all)
    fmt::print("{:<9}{:>9.1f}{:>13.0f}{:>13.0f}{:>13}{:>13.0f}{:>11.1f}{:>10.3f}{:>10.2f}{:>10.3f}{}\n", f.name,
               static_cast<double>(f.urls) * 1e-6, f.links_per_s, f.overall_links_per_s,
               f.cold_links_per_s ? fmt::format("{:.0f}", *f.cold_links_per_s) : "–", f.pages_per_cpu_s,
               f.bytes_per_url, f.worst_report_s, f.settle_s, f.reopen_s, f.cut_short ? "  (time limit)" : "");
  fmt::print("links/s: over the last tenth of the growth.");
  if (const double r = ratio(all); r > 0) {
    const bool same_size = std::all_of(all.begin(), all.end(), [&](const auto& f) { return f.urls == all[0].urls; });
    fmt::print(" Aduana is {:.2f} times the better baseline{}.", r, same_size ? "" : ", at different sizes");
  }
  fmt::print("\n");
  if (std::all_of(all.begin(), all.end(), [](const StoreFigures& f) { return f.checksum.has_value(); }))
    for (const StoreFigures& f : all) fmt::print("checksum of answers, {:<9}{:016x}\n", f.name, *f.checksum);
}

std::string as_json(const std::vector<StoreFigures>& all) {
  JsonObject json;
  JsonObject baselines;
  const StoreFigures* own = nullptr;
  for (const StoreFigures& f : all) {
    if (f.name == kOwnStore)
      own = &f;
    else
      baselines.add(f.name, f.headline());
  }
  if (own) {
    json.add("urls", own->urls);
    json.add("links_per_s", own->headline());
    json.add("overall_links_per_s", own->overall_links_per_s);
    if (own->cold_links_per_s) json.add("warm_links_per_s", own->links_per_s);
    json.add("pages_per_cpu_s", own->pages_per_cpu_s);
    json.add("bytes_per_url", own->bytes_per_url);
    json.add("worst_report_s", own->worst_report_s);
    json.add("settle_s", own->settle_s);
    json.add("reopen_s", own->reopen_s);
    json.add("cut_short", own->cut_short);
    json.add("ratio", ratio(all));
  }
  json.add("baselines", baselines);
  return json.text();
}

Status check_checksums(const std::vector<StoreFigures>& all) {
  for (const StoreFigures& f : all)
    if (f.urls == all.front().urls && f.checksum != all.front().checksum)
      return Error(Code::corrupt, fmt::format("{} and {} gave different answers", f.name, all.front().name));
  return {};
}

Status run(const Settings& settings) {
  ADUANA_ASSIGN(const auto all, run_all(settings));
  ADUANA_TRY(check_checksums(all));
  if (settings.json)
    fmt::print("{}\n", as_json(all));
  else
    print_table(all);
  return {};
}

}  // namespace

void add_store_bench(CLI::App& app, int& exit_code) {
  auto settings = std::make_shared<Settings>();
  StoreRunOptions& run_options = settings->run;
  CLI::App* command = app.add_subcommand("store", "Crawl reports into Aduana's store and into LMDB and RocksDB");
  add_count(command, "--urls", run_options.urls, "Grow to this many URLs; suffixes K, M, G")
      ->check(CLI::PositiveNumber);
  add_count(command, "--links", run_options.crawl.links, "Links a page, on average")->check(CLI::Range(1, 10'000));
  command->add_option("--new", run_options.crawl.new_fraction, "Fraction of the links that are new URLs")
      ->check(CLI::Range(0.001, 1.0))
      ->option_text(fmt::format("FRACTION [{}]", run_options.crawl.new_fraction));
  add_count(command, "--hosts", run_options.crawl.hosts, "Number of hosts")->check(CLI::Range(1, 16'000'000));
  add_bytes(command, "--cache", run_options.store.cache_bytes, "Memory of each store's cache; suffixes K, M, G");
  command->add_option("--baselines", settings->baselines, "lmdb, rocksdb, both with a comma, all or none")
      ->delimiter(',')
      ->check(CLI::IsMember({"lmdb", "rocksdb", "all", "none"}))
      ->option_text("NAMES [all]");
  add_count(command, "--baseline-urls", settings->baseline_urls, "Grow the baselines to this many URLs instead");
  command->add_option("--repeat", settings->repeat, "Run all of it so many times; the run with the median rate counts")
      ->check(CLI::Range(1, 99))
      ->option_text("N [1]");
  add_count(command, "--batch", run_options.batch, "Pages a report")->check(CLI::Range(1, 100'000));
  command->add_flag("--cold", run_options.cold,
                    "After the growth, go on with data out of memory (direct reads); the rate of that is compared");
  add_count(command, "--cold-links", run_options.cold_links, "Links of the cold stretch");
  add_durability(command, run_options.store.durability);
  command->add_option("--seed", run_options.crawl.seed, "Another seed is another crawl")->option_text("N [1]");
  command->add_option("--time-limit", run_options.time_limit_s, "Time after which the growth of a store ends")
      ->check(CLI::PositiveNumber)
      ->option_text(fmt::format("SECONDS [{}]", run_options.time_limit_s));
  command->add_option("--dir", run_options.dir, "Where to make the temporary folder; the system's place by default")
      ->option_text("DIR");
  command->add_flag("--verify", run_options.verify, "Check the index of a sample of the URLs in every store");
  command->add_flag("--json", settings->json, "Print one JSON object instead of a table");
  command->callback([settings, &exit_code] {
    if (const Status status = run(*settings); !status) {
      fmt::print(stderr, "aduana-bench store: {}\n", status.error().message());
      exit_code = 1;
    }
  });
}

}  // namespace aduana::bench
