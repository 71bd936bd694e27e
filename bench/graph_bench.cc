#include "graph_bench.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "generated_links.h"
#include "graph/edges/edge_file.h"
#include "graph/edges/link_sorter.h"
#include "graph_figures.h"
#include "json_object.h"
#include "option_types.h"
#include "temp_dir.h"

namespace aduana::bench {
namespace {

constexpr const char* kRealGraph = "../shared/data/cnr-2000.edges.xz";

struct Settings {
  std::string graph;
  uint64_t generated = 30'000'000;
  unsigned repeat = 5;
  std::string dir;
  bool json = false;
};

using NamedFigures = std::pair<std::string, GraphFigures>;

Result<GraphFigures> measure_file(const std::string& path, const TempDir& dir, unsigned repeat) {
  ADUANA_ASSIGN(const auto links, open_edge_file(path));
  SortOptions sort;
  sort.folder = dir.path();
  ADUANA_ASSIGN(const auto sorted, sort_links(*links, sort));
  ADUANA_ASSIGN(const auto out, Csr<uint32_t>::from_links(*sorted, sorted->nodes()));
  return measure_graph(out, dir.path(), repeat);
}

Result<GraphFigures> measure_generated(uint64_t links, const TempDir& dir, unsigned repeat) {
  GeneratedLinks generated(links);
  ADUANA_ASSIGN(const auto out, Csr<uint32_t>::from_links(generated, generated.nodes()));
  return measure_graph(out, dir.path(), repeat);
}

double million_links(double ns_per_link) { return 1e3 / ns_per_link; }

std::string json_of(const std::vector<NamedFigures>& all) {
  JsonObject json;
  json.add("bench", "graph");
  for (const auto& [name, figures] : all) {
    JsonObject one;
    one.add("nodes", figures.nodes);
    one.add("links", figures.links);
    one.add("bits_per_link", figures.bits_out);
    one.add("bits_per_link_transpose", figures.bits_in);
    one.add("build_ns_per_link", figures.build);
    one.add("build_cpu_ns_per_link", figures.build_cpu);
    one.add("sequential_ns_per_link", figures.sequential_out);
    one.add("sequential_ns_per_link_transpose", figures.sequential_in);
    one.add("sum_ns_per_link", figures.walk_out);
    one.add("sum_ns_per_link_transpose", figures.walk_in);
    one.add("random_ns_per_link", figures.random_out);
    one.add("random_ns_per_row", figures.random_row);
    one.add("csr_sum_ns_per_link", figures.walk_csr);
    one.add("pagerank_links_per_second", 1e9 / figures.page_rank_csr);
    one.add("pagerank_compressed_links_per_second", 1e9 / figures.page_rank_packed);
    one.add("jacobi_links_per_second", 1e9 / figures.jacobi);
    one.add("pagerank_ratio", figures.jacobi / figures.page_rank_csr);
    one.add("pagerank_compressed_ratio", figures.jacobi / figures.page_rank_packed);
    one.add("pagerank_loops", figures.page_rank_loops);
    one.add("jacobi_loops", figures.jacobi_loops);
    one.add("jacobi_time_to_pagerank_time", figures.jacobi_time_ratio());
    one.add("hits_loop_to_pagerank_loop", figures.hits / figures.page_rank_csr);
    json.add(name, one);
  }
  return json.text();
}

template <class Of>
void print_row(const char* what, const std::vector<NamedFigures>& all, int digits, Of of) {
  fmt::print("{:<46}", what);
  for (const auto& named : all) fmt::print("{:>18.{}f}", of(named.second), digits);
  fmt::print("\n");
}

void print_table(const std::vector<NamedFigures>& all) {
  using F = GraphFigures;
  fmt::print("{:<46}", "");
  for (const auto& named : all) fmt::print("{:>18}", named.first);
  fmt::print("\n");
  print_row("pages", all, 0, [](const F& f) { return static_cast<double>(f.nodes); });
  print_row("links", all, 0, [](const F& f) { return static_cast<double>(f.links); });
  print_row("bits a link, links out, all included", all, 3, [](const F& f) { return f.bits_out; });
  print_row("bits a link, links in, all included", all, 3, [](const F& f) { return f.bits_in; });
  print_row("decode in order, ns a link out", all, 2, [](const F& f) { return f.sequential_out; });
  print_row("decode in order, ns a link in", all, 2, [](const F& f) { return f.sequential_in; });
  print_row("  and add all links up, ns a link out", all, 2, [](const F& f) { return f.walk_out; });
  print_row("  and add all links up, ns a link in", all, 2, [](const F& f) { return f.walk_in; });
  print_row("  to adding them up from memory", all, 1, [](const F& f) { return f.walk_out / f.walk_csr; });
  print_row("rows of random pages, ns a link", all, 1, [](const F& f) { return f.random_out; });
  print_row("rows of random pages, ns a row", all, 0, [](const F& f) { return f.random_row; });
  print_row("PageRank in memory, M links/s a loop", all, 0, [](const F& f) { return million_links(f.page_rank_csr); });
  print_row("PageRank, compressed, M links/s a loop", all, 0,
            [](const F& f) { return million_links(f.page_rank_packed); });
  print_row("plain Jacobi loop in memory, M links/s", all, 0, [](const F& f) { return million_links(f.jacobi); });
  print_row("  PageRank in memory to it", all, 2, [](const F& f) { return f.jacobi / f.page_rank_csr; });
  print_row("  PageRank, compressed, to it", all, 2, [](const F& f) { return f.jacobi / f.page_rank_packed; });
  print_row("loops of PageRank to a hundredth of the mean", all, 0,
            [](const F& f) { return static_cast<double>(f.page_rank_loops); });
  print_row("loops of Jacobi to the same", all, 0, [](const F& f) { return static_cast<double>(f.jacobi_loops); });
  print_row("  time of Jacobi to PageRank's until then", all, 2, [](const F& f) { return f.jacobi_time_ratio(); });
  print_row("loop of HITS to loop of PageRank, time", all, 2, [](const F& f) { return f.hits / f.page_rank_csr; });
  print_row("build, both directions, ns a link", all, 0, [](const F& f) { return f.build; });
  print_row("build, CPU ns a link", all, 0, [](const F& f) { return f.build_cpu; });
  fmt::print("The generated graph: see bench/generated_links.h; its pages are in the order of their URLs.\n");
}

Status run(const Settings& settings) {
  ADUANA_ASSIGN(const auto dir, TempDir::make(settings.dir));
  std::vector<NamedFigures> all;
  const std::string path =
      settings.graph.empty() && std::filesystem::exists(kRealGraph) ? std::string(kRealGraph) : settings.graph;
  if (!path.empty()) {
    const std::string name = std::filesystem::path(path).filename().string();
    ADUANA_ASSIGN(const GraphFigures figures, measure_file(path, dir, settings.repeat));
    all.emplace_back(name.substr(0, name.find('.')), figures);
  }
  if (settings.generated > 0) {
    ADUANA_ASSIGN(const GraphFigures figures, measure_generated(settings.generated, dir, settings.repeat));
    all.emplace_back("generated", figures);
  }
  if (all.empty()) return Error(Code::invalid, "no graph to measure; name one with --graph");
  if (settings.json) {
    fmt::print("{}\n", json_of(all));
  } else {
    print_table(all);
  }
  return {};
}

}  // namespace

void add_graph_bench(CLI::App& app, int& exit_code) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("graph", "Compressed graphs: bits and time a link, PageRank and HITS on them");
  command
      ->add_option("--graph", settings->graph,
                   "Edge file to measure, perhaps compressed: pairs of 32-bit little-endian numbers")
      ->option_text(fmt::format("FILE [{} if it is there]", kRealGraph));
  add_count(command, "--generated", settings->generated, "Links of a generated graph; 0: none; suffixes K, M, G")
      ->check(CLI::Range(0, 2'000'000'000));
  command->add_option("--repeat", settings->repeat, "Times each is measured; the fastest counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_option("--dir", settings->dir, "Where to make the temporary folder; the system's place by default")
      ->option_text("DIR");
  command->add_flag("--json", settings->json, "Print one JSON object instead of a table");
  command->callback([settings, &exit_code] {
    if (const Status status = run(*settings); !status) {
      fmt::print(stderr, "aduana-bench graph: {}\n", status.error().message());
      exit_code = 1;
    }
  });
}

}  // namespace aduana::bench
