#include "simulate_command.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>

#include "base/json_line.h"
#include "commands.h"
#include "curve_plot.h"
#include "exit_code.h"
#include "graph/rank/csr.h"
#include "graph/rank/page_rank.h"
#include "interrupt.h"
#include "messages.h"
#include "number_argument.h"
#include "output.h"
#include "progress.h"
#include "simulation.h"

namespace aduana {
namespace {

constexpr std::array kPercents = {1, 5, 10, 20, 30, 50};
constexpr uint64_t kCurvePoints = 1000;

constexpr const char* kPicture = "crawl-order.svg";

struct SimulateArguments {
  std::string graph;
  std::vector<Node> seeds;
  std::string policy = "blend";
  bool compare = false;
  std::string hosts;
  size_t batch = 1;
  std::string scratch;
  std::string curve, svg;
  bool json = false;
};

struct PolicyResult {
  std::string_view name;
  CrawlCurve curve;
  double area = 0;
  double pages_per_second = 0;
};

Status test_seeds(const SimulateArguments& arguments, const LinkLists& links) {
  for (const Node seed : arguments.seeds) {
    if (seed < links.nodes()) continue;
    if (links.nodes() == 0) return Error(Code::invalid, fmt::format("{} has no links: name another", arguments.graph));
    return Error(Code::invalid, fmt::format("--seed {}: the pages of {} are 0 to {}; name one of them", seed,
                                            arguments.graph, links.nodes() - 1));
  }
  return {};
}

// As exactly as 32-bit floats allow: the last loops change less than a rounding does.
Result<std::vector<float>> final_page_rank(const LinkLists& links, Progress& progress) {
  ADUANA_ASSIGN(const auto in, Csr<uint32_t>::from_graph(links, Rows::transposed));
  ADUANA_ASSIGN(PageRank page_rank, PageRank::open(links.nodes()));
  PageRankOptions options;
  options.loops.precision = 1e-6 / static_cast<double>(links.nodes());
  options.loops.max_loops = 0;
  options.loops.progress = [&](uint64_t loop, double change) {
    if (progress.due()) progress.show(fmt::format("final PageRank, loop {}: largest change {:.3g}", loop, change));
    return interrupted() == 0;
  };
  ADUANA_TRY(page_rank.compute(in, {}, options));
  const auto values = page_rank.values_until_resize();
  return std::vector<float>(values.begin(), values.end());
}

// Ends early, with fewer results, when a signal came.
Result<std::vector<PolicyResult>> run_policies(const SimulateArguments& arguments, const SimulatedWeb& web,
                                               std::span<const CrawlPolicy> policies, Progress& progress) {
  std::vector<PolicyResult> results;
  for (const CrawlPolicy& policy : policies) {
    SimulationOptions options{.batch = arguments.batch, .scratch = arguments.scratch, .progress = {}};
    options.progress = [&](uint64_t crawled, uint64_t known) {
      if (progress.due()) {
        progress.show(fmt::format("{}: {} crawled, {} known", policy.name, counted(crawled, "page"), grouped(known)));
      }
      return interrupted() == 0;
    };
    auto crawl = simulate(web, arguments.seeds, policy, options);
    if (!crawl) return crawl.error().within(std::string(policy.name));
    if (interrupted()) break;
    const double area = crawl->curve.area();
    const double rate = static_cast<double>(crawl->curve.pages()) / std::max(crawl->seconds, 1e-9);
    results.push_back({policy.name, std::move(crawl->curve), area, rate});
  }
  return results;
}

// Nothing when there are not both ends of the scale, or nothing lies between them.
std::optional<ScoreScale> scale_of(std::span<const PolicyResult> results) {
  const PolicyResult *breadth_first = nullptr, *omniscient = nullptr;
  for (const PolicyResult& result : results) {
    if (result.name == kBreadthFirst) breadth_first = &result;
    if (result.name == kOmniscient) omniscient = &result;
  }
  if (!breadth_first || !omniscient || omniscient->area == breadth_first->area) return {};
  return ScoreScale{breadth_first->area, omniscient->area};
}

std::string table_of(const SimulateArguments& arguments, std::span<const PolicyResult> results) {
  const auto scale = scale_of(results);
  std::string table = fmt::format("{} from {}; PageRank in %, after so many of the pages:\n",
                                  counted(results[0].curve.pages(), "page"), counted(arguments.seeds.size(), "seed"));
  fmt::format_to(std::back_inserter(table), "{:<15}", "policy");
  for (const int percent : kPercents) fmt::format_to(std::back_inserter(table), "{:>5} %", percent);
  fmt::format_to(std::back_inserter(table), "{:>7} %{:>8}{}{:>11}\n", "all", "area",
                 arguments.compare ? "   score" : "", "pages/s");
  for (const PolicyResult& result : results) {
    fmt::format_to(std::back_inserter(table), "{:<15}", result.name);
    for (const int percent : kPercents) {
      fmt::format_to(std::back_inserter(table), "{:>7.1f}", 100 * result.curve.at(percent / 100.0));
    }
    fmt::format_to(std::back_inserter(table), "{:>9.1f}{:>8.4f}", 100 * result.curve.end(), result.area);
    if (arguments.compare) table += scale ? fmt::format("{:>8.2f}", scale->of(result.area)) : fmt::format("{:>8}", '-');
    fmt::format_to(std::back_inserter(table), "{:>11}\n", grouped(static_cast<uint64_t>(result.pages_per_second)));
  }
  return table;
}

JsonLine json_of(const PolicyResult& result) {
  JsonLine shares;
  for (const int percent : kPercents) shares.number(std::to_string(percent), result.curve.at(percent / 100.0));
  JsonLine line;
  line.text("policy", result.name).number("auc", result.area).json("shares", shares.object());
  line.number("share_of_all", result.curve.end()).number("pages", result.curve.pages());
  return line.number("pages_per_second", result.pages_per_second);
}

std::string json_of(const SimulateArguments& arguments, std::span<const PolicyResult> results) {
  if (!arguments.compare) return json_of(results[0]).line();
  const auto scale = scale_of(results);
  const auto scored = [&](const PolicyResult& result) {
    return json_of(result).json("score", scale ? fmt::format("{}", scale->of(result.area)) : "null");
  };
  std::string list;
  for (const PolicyResult& result : results) list += (list.empty() ? "" : ",") + scored(result).object();
  const auto chosen = std::find_if(results.begin(), results.end(),
                                   [&](const PolicyResult& result) { return result.name == arguments.policy; });
  return scored(*chosen).json("policies", '[' + list + ']').line();
}

std::string csv_of(const SimulateArguments& arguments, std::span<const PolicyResult> results) {
  std::string csv = "pages";
  for (const PolicyResult& result : results)
    fmt::format_to(std::back_inserter(csv), ",{}", arguments.compare ? result.name : "share");
  csv += '\n';
  for (const uint64_t pages : evenly(results[0].curve.pages(), kCurvePoints)) {
    csv += std::to_string(pages);
    for (const PolicyResult& result : results)
      fmt::format_to(std::back_inserter(csv), ",{:.8f}", result.curve.after(pages));
    csv += '\n';
  }
  return csv;
}

std::string svg_of(const SimulateArguments& arguments, std::span<const PolicyResult> results) {
  std::vector<NamedCurve> curves;
  for (const PolicyResult& result : results) curves.push_back({result.name, result.curve});
  const std::string title =
      fmt::format("{}: {} from {} {}", std::filesystem::path(arguments.graph).filename().string(),
                  counted(results[0].curve.pages(), "page"), arguments.seeds.size() == 1 ? "page" : "pages",
                  fmt::join(arguments.seeds, ", "));
  return draw_curves(printable(title, 90), curves);
}

// A file that is made only if it was asked for.
class WantedFile {
 public:
  Status open(const std::string& path) {
    wanted_ = !path.empty();
    return output_.open(path);
  }
  template <class Make>
  Status write(const Make& make) {
    if (!wanted_) return {};
    output_.write(make());
    return output_.finish();
  }

 private:
  bool wanted_ = false;
  Output output_;
};

Result<int> run(const SimulateArguments& arguments) {
  ADUANA_ASSIGN(const CrawlPolicy policy, policy_named(arguments.policy));
  const std::string picture = arguments.svg.empty() && arguments.compare ? kPicture : arguments.svg;
  for (const std::string& read : {arguments.graph, arguments.hosts}) {
    ADUANA_TRY(test_not_read(arguments.curve, read));
    ADUANA_TRY(test_not_read(picture, read));
  }
  WantedFile csv, svg;  // opened first: a crawl whose result can't be written is for nothing
  ADUANA_TRY(csv.open(arguments.curve));
  ADUANA_TRY(svg.open(picture));
  catch_interrupts();
  Progress progress;
  ADUANA_ASSIGN(const LinkLists links, LinkLists::open(arguments.graph));
  ADUANA_TRY(test_seeds(arguments, links));
  PageUrls urls;
  if (!arguments.hosts.empty()) {
    ADUANA_ASSIGN(urls, PageUrls::on_hosts_of(arguments.hosts, links.nodes()));
  }
  ADUANA_ASSIGN(const std::vector<float> page_ranks, final_page_rank(links, progress));
  const std::span<const CrawlPolicy> policies = arguments.compare ? crawl_policies() : std::span(&policy, 1);
  ADUANA_ASSIGN(const auto results, run_policies(arguments, {links, urls, page_ranks}, policies, progress));
  Progress::erase();
  if (interrupted()) return kSignalled + interrupted();
  ADUANA_TRY(csv.write([&] { return csv_of(arguments, results); }));
  ADUANA_TRY(svg.write([&] { return svg_of(arguments, results); }));
  Output output;
  output.write(arguments.json ? json_of(arguments, results) : table_of(arguments, results));
  if (!arguments.json && !picture.empty())
    output.write(fmt::format("The curves are drawn in {}\n", printable(picture)));
  ADUANA_TRY(output.finish());
  return kFine;
}

std::string policy_help() {
  std::string text = "Which page is next. One of";
  for (const CrawlPolicy& policy : crawl_policies()) text += fmt::format("\n{}: {}", policy.name, policy.description);
  return text;
}

}  // namespace

void add_simulate_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<SimulateArguments>();
  CLI::App* command =
      add_command(app, "simulate", "Crawl a graph through the frontier, without a network, to see how good an order is",
                  arguments->json, "the graph is damaged, or a line of --host-of is bad", "no graph, no such page");
  command->footer(
      "Prints how much of the final PageRank, that of the whole graph (damping 0.85), is collected after which share "
      "of\n"
      "the pages, and the area under that curve. Only pages that can be reached from the seeds can be crawled: the x "
      "axis\n"
      "is the share of these, and at its end is what PageRank they have.\n\n" +
      command->get_footer());
  command
      ->add_option(
          "--graph", arguments->graph,
          "File of links: pairs (source, target) of 32-bit little-endian numbers, plain or compressed with xz, "
          "gzip or zstd; or one made by `aduana graph build`")
      ->required();
  command->add_option("--seed", arguments->seeds, "Number of the page to start at; give it again for more")
      ->required()
      ->check(whole_number())
      ->allow_extra_args(false);
  command->add_option("--policy", arguments->policy, policy_help())->capture_default_str();
  command->add_flag("--compare", arguments->compare,
                    "Run all policies, score each (0 is breadth-first, 1 is omniscient), and draw their curves");
  command->add_option("--host-of", arguments->hosts,
                      "Text file: line i is the host, by name or number, of page i from 0");
  command->add_option("--batch", arguments->batch, "Pages asked for at a time")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--curve", arguments->curve, "CSV file for the curve, up to 1000 points: pages,share");
  command->add_option(
      "--svg", arguments->svg,
      fmt::format("SVG file for a picture of the curves; with --compare it is {} if not given", kPicture));
  command->add_option("--scratch", arguments->scratch,
                      "Folder for the store, which goes when the crawl ends; else the system's for temporary files");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
