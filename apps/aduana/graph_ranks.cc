// `aduana graph pagerank` and `aduana graph hits`: the best pages of a graph.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "base/json_line.h"
#include "exit_code.h"
#include "graph/rank/csr.h"
#include "graph/rank/hits.h"
#include "graph/rank/page_rank.h"
#include "graph_commands.h"
#include "interrupt.h"
#include "messages.h"
#include "number_argument.h"
#include "output.h"
#include "progress.h"
#include "size_argument.h"

namespace aduana {
namespace {

struct RankArguments : GraphArguments {
  uint64_t top = 10;
  std::string out;
  double damping = 0.85;
  double precision = 1e-7;
  uint64_t max_loops = 100;
  unsigned threads = 2;
  uint64_t memory = uint64_t{1} << 30;
};

// A column of the answer.
struct Ranking {
  const char* name;
  std::span<const float> values;
};

// Whether the graph is walked faster from memory, where it takes so much of it.
bool fits_in_memory(const Graph& graph, uint64_t directions, uint64_t memory) {
  const uint64_t each = memory / directions;  // what the header says may be any number: nothing may overflow
  return graph.nodes() <= UINT32_MAX && 8 * graph.nodes() <= each && graph.links() <= (each - 8 * graph.nodes()) / 4;
}

LoopOptions loops_of(const RankArguments& arguments, Progress& progress) {
  LoopOptions loops;
  loops.precision = arguments.precision;
  loops.max_loops = arguments.max_loops;
  loops.threads = arguments.threads;
  loops.progress = [&progress](uint64_t loop, double change) {
    if (progress.due()) progress.show(fmt::format("loop {}: largest change {:.3g}", loop, change));
    return interrupted() == 0;
  };
  return loops;
}

std::vector<Node> best_of(std::span<const float> values, uint64_t n) {
  std::vector<Node> nodes(values.size());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  n = std::min<uint64_t>(n, nodes.size());
  std::partial_sort(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(n), nodes.end(),
                    [&](Node a, Node b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  nodes.resize(n);
  return nodes;
}

// Before anything is computed: what can't be written would be for nothing.
Status open_for_all(const RankArguments& arguments, Output& output) {
  ADUANA_TRY(test_not_read(arguments.out, arguments.path));
  return output.open(arguments.out);
}

Status write_all(const RankArguments& arguments, std::span<const Ranking> rankings, Output& output) {
  if (arguments.out.empty()) return {};
  for (Node node = 0; node < rankings[0].values.size(); ++node) {
    std::string line = std::to_string(node);
    for (const Ranking& ranking : rankings) fmt::format_to(std::back_inserter(line), " {:.9g}", ranking.values[node]);
    if (!output.write(line += '\n')) break;
  }
  return output.finish();
}

Status print_best(const RankArguments& arguments, const Graph& graph, const Ranking& ranking, bool several,
                  JsonLine& json, Output& output) {
  std::string list;
  if (several && !arguments.json) output.write(fmt::format("{}\n", ranking.name));
  for (const Node node : best_of(ranking.values, arguments.top)) {
    if (arguments.json) {
      ADUANA_ASSIGN(const std::string page, page_json(graph, node));
      list += JsonLine().number("value", ranking.values[node]).json("page", page).object() + ',';
    } else {
      ADUANA_ASSIGN(const std::string page, page_text(graph, node));
      output.write(fmt::format("{:.6g} {}\n", ranking.values[node], page));
    }
  }
  if (!list.empty()) list.pop_back();
  json.json(ranking.name, '[' + list + ']');
  return {};
}

Result<int> tell(const RankArguments& arguments, const Graph& graph, const Convergence& convergence, double seconds,
                 std::span<const Ranking> rankings, Output& all) {
  Progress::erase();
  if (interrupted()) return kSignalled + interrupted();
  ADUANA_TRY(write_all(arguments, rankings, all));
  Output output;
  JsonLine json;
  json.number("nodes", graph.nodes()).number("links", graph.links()).number("loops", convergence.loops);
  json.number("change", convergence.change).json("reached", convergence.reached ? "true" : "false");
  json.number("seconds", seconds);
  for (const Ranking& ranking : rankings) {
    ADUANA_TRY(print_best(arguments, graph, ranking, rankings.size() > 1, json, output));
  }
  if (arguments.json) output.write(json.line());
  ADUANA_TRY(output.finish());
  if (convergence.reached) return kFine;
  print_warning(
      fmt::format("after {} the largest change is still {:.3g}; give more --max-loops, or a larger --precision",
                  counted(convergence.loops, "loop"), convergence.change));
  return kDataProblem;
}

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

Result<int> run_page_rank(const RankArguments& arguments) {
  ADUANA_ASSIGN(const auto graph, Graph::open(real_files(), arguments.path));
  Output all;
  ADUANA_TRY(open_for_all(arguments, all));
  ADUANA_ASSIGN(PageRank page_rank, PageRank::open(graph->nodes()));
  catch_interrupts();
  Progress progress;
  const PageRankOptions options{arguments.damping, loops_of(arguments, progress)};
  const auto began = std::chrono::steady_clock::now();
  Result<Convergence> convergence = Convergence{};
  if (fits_in_memory(*graph, 1, arguments.memory)) {
    ADUANA_ASSIGN(const auto in, Csr<uint32_t>::from_graph(graph->in()));
    convergence = page_rank.compute(in, {}, options);
  } else {
    convergence = page_rank.compute(graph->in(), {}, options);
  }
  if (!convergence) return convergence.error();
  const Ranking ranking{"pages", page_rank.values_until_resize()};
  return tell(arguments, *graph, *convergence, seconds_since(began), {&ranking, 1}, all);
}

Result<int> run_hits(const RankArguments& arguments) {
  ADUANA_ASSIGN(const auto graph, Graph::open(real_files(), arguments.path));
  Output all;
  ADUANA_TRY(open_for_all(arguments, all));
  ADUANA_ASSIGN(Hits hits, Hits::open(graph->nodes()));
  catch_interrupts();
  Progress progress;
  const LoopOptions options = loops_of(arguments, progress);
  const auto began = std::chrono::steady_clock::now();
  Result<Convergence> convergence = Convergence{};
  if (fits_in_memory(*graph, 2, arguments.memory)) {
    ADUANA_ASSIGN(const auto out, Csr<uint32_t>::from_graph(graph->out()));
    ADUANA_ASSIGN(const auto in, Csr<uint32_t>::from_graph(graph->in()));
    convergence = hits.compute(out, in, {}, options);
  } else {
    convergence = hits.compute(graph->out(), graph->in(), {}, options);
  }
  if (!convergence) return convergence.error();
  const Ranking rankings[] = {{"authorities", hits.authorities_until_resize()}, {"hubs", hits.hubs_until_resize()}};
  return tell(arguments, *graph, *convergence, seconds_since(began), rankings, all);
}

CLI::App* add_ranking(CLI::App& graph, const char* name, const char* description, const char* columns,
                      RankArguments& arguments) {
  CLI::App* command =
      add_graph_command(graph, name, description, arguments,
                        "the precision was not reached (the values are there), or the graph is damaged");
  command->add_option("--top", arguments.top, "How many of the best to print")
      ->capture_default_str()
      ->check(whole_number());
  command->add_option("--out", arguments.out, fmt::format("File for all: lines of {}", columns));
  command->add_option("--precision", arguments.precision, "Enough when no value changes by more than this in a loop")
      ->capture_default_str();
  command->add_option("--max-loops", arguments.max_loops, "The most loops; 0: no limit")
      ->capture_default_str()
      ->check(whole_number());
  command->add_option("--threads", arguments.threads, "To work with")->capture_default_str()->check(CLI::Range(1, 64));
  add_size_option(command, "--memory", arguments.memory,
                  "Unpack the graph if it fits in this; else it is decompressed in every loop")
      ->capture_default_str();
  return command;
}

}  // namespace

void add_graph_ranks(CLI::App& graph, int& exit_code) {
  auto rank = std::make_shared<RankArguments>();
  CLI::App* command =
      add_ranking(graph, "pagerank", "Compute PageRank and print the best pages: value page", "page value", *rank);
  command->add_option("--damping", rank->damping, "Probability of following a link rather than jumping to any page")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.999999));
  on_call(command, exit_code, [rank] { return run_page_rank(*rank); });

  auto hits = std::make_shared<RankArguments>();
  command = add_ranking(graph, "hits", "Compute HITS and print the best authorities and hubs: value page",
                        "page authority hub", *hits);
  on_call(command, exit_code, [hits] { return run_hits(*hits); });
}

}  // namespace aduana
