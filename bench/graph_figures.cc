#include "graph_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "graph/graph.h"
#include "graph/graph_builder.h"
#include "graph/rank/hits.h"
#include "graph/rank/page_rank.h"
#include "random.h"
#include "stopwatch.h"

namespace aduana::bench {
namespace {

constexpr uint64_t kLoops = 4;
constexpr size_t kRandomRows = 200'000;

// What is computed must be seen to be used, or the compiler leaves it out.
volatile uint64_t sink;

class CsrLinks final : public LinkSource {
 public:
  explicit CsrLinks(const Csr<uint32_t>& graph) : graph_(graph) {}

  Result<size_t> next(std::span<NodeLink> links) override {
    size_t n = 0;
    for (; node_ < graph_.nodes(); ++node_, at_ = 0) {
      for (const auto row = graph_.row(node_); at_ < row.size(); ++at_) {
        if (n == links.size()) return n;
        links[n++] = {node_, row[at_]};
      }
    }
    return n;
  }
  Status reset() override {
    node_ = at_ = 0;
    return {};
  }

 private:
  const Csr<uint32_t>& graph_;
  Node node_ = 0;
  size_t at_ = 0;
};

// Seconds of the fastest loop of a computation that is told of each.
class LoopTimer {
 public:
  LoopOptions options() {
    LoopOptions loops;
    loops.precision = 0;
    loops.max_loops = kLoops;
    loops.warm_start = false;
    loops.progress = [this](uint64_t, double) {
      tick();
      return true;
    };
    return loops;
  }
  void tick() {
    const double now = thread_cpu_seconds();
    if (last_ > 0) best_ = std::min(best_, now - last_);
    last_ = now;
  }
  double best() const { return best_; }

 private:
  double last_ = 0;
  double best_ = INFINITY;
};

template <class G>
Result<double> page_rank_loop(const G& in) {
  ADUANA_ASSIGN(PageRank page_rank, PageRank::open(in.nodes()));
  LoopTimer timer;
  ADUANA_TRY(page_rank.compute(in, {}, PageRankOptions{.loops = timer.options()}));
  return timer.best();
}

Result<double> hits_loop(const Csr<uint32_t>& out, const Csr<uint32_t>& in) {
  ADUANA_ASSIGN(Hits hits, Hits::open(in.nodes()));
  LoopTimer timer;
  ADUANA_TRY(hits.compute(out, in, {}, timer.options()));
  return timer.best();
}

// The baseline: x = (1 − d)/n + d · (what pages without links have / n + sum of x(u)/links(u)), as it stands in
// textbooks, with the quotients worked out once a loop and not once a link.
// Until no value changes by more than the precision; `loops` is the most of them, and then how many it took.
Result<double> jacobi_loop(const Csr<uint32_t>& out, const Csr<uint32_t>& in, double precision, uint64_t& loops) {
  const uint64_t n = in.nodes();
  constexpr float kDamping = 0.85f;
  std::vector<float> x(n, 1 / static_cast<float>(n)), passed(n);
  LoopTimer timer;
  timer.tick();
  const uint64_t most = std::exchange(loops, 0);
  for (float change = INFINITY; change > precision && loops < most; ++loops) {
    double nowhere = 0;
    for (Node page = 0; page < n; ++page) {
      const size_t links_out = out.row(page).size();
      if (links_out == 0) nowhere += x[page];
      passed[page] = links_out ? x[page] / static_cast<float>(links_out) : 0;
    }
    const float jump = ((1 - kDamping) + kDamping * static_cast<float>(nowhere)) / static_cast<float>(n);
    change = 0;
    for (Node page = 0; page < n; ++page) {
      float sum = 0;
      for (const uint32_t from : in.row(page)) sum += passed[from];
      const float value = jump + kDamping * sum;
      change = std::max(change, std::abs(value - x[page]));
      x[page] = value;
    }
    timer.tick();
  }
  return timer.best();
}

constexpr double kLeastTurn = 0.1;  // seconds

Result<double> decode(const CompressedRows& rows) {
  const double start = thread_cpu_seconds();
  uint64_t links = 0;
  ADUANA_TRY(rows.for_each_row(0, rows.nodes(), [&](Node, std::span<const Node> row) { links += row.size(); }));
  sink = links;
  return thread_cpu_seconds() - start;
}

template <class G>
Result<double> walk(const G& graph) {
  const double start = thread_cpu_seconds();
  uint64_t sum = 0;
  ADUANA_TRY(graph.for_each_row(0, graph.nodes(), [&](Node, auto row) {
    for (const auto link : row) sum += link;
  }));
  sink = sum;
  return thread_cpu_seconds() - start;
}

Result<double> read_rows(const CompressedRows& rows, std::span<const Node> pages) {
  const double start = thread_cpu_seconds();
  CompressedRows::Reader reader(rows);
  uint64_t sum = 0;
  for (const Node page : pages) {
    ADUANA_ASSIGN(const auto row, reader.row(page));
    for (const Node link : row) sum += link;
  }
  sink = sum;
  return thread_cpu_seconds() - start;
}

Status count_loops(const Csr<uint32_t>& out, const Csr<uint32_t>& in, GraphFigures& figures) {
  constexpr uint64_t kMostLoops = 500;
  const double precision = 0.01 / static_cast<double>(out.nodes());
  ADUANA_ASSIGN(PageRank page_rank, PageRank::open(in.nodes()));
  const LoopOptions loops{.precision = precision, .max_loops = kMostLoops};
  ADUANA_ASSIGN(const Convergence convergence, page_rank.compute(in, {}, PageRankOptions{.loops = loops}));
  figures.page_rank_loops = convergence.loops;
  figures.jacobi_loops = kMostLoops;
  ADUANA_TRY(jacobi_loop(out, in, precision, figures.jacobi_loops));
  return {};
}

// One of the things that are measured in turn: its seconds, and how many links or rows they are shared by.
struct Contender {
  double& figure;
  uint64_t shared_by;
  std::function<Result<double>()> seconds;
};

Status build(const Csr<uint32_t>& out, const std::string& path, GraphFigures& figures) {
  CsrLinks links(out);
  GraphBuildOptions options;
  options.nodes = out.nodes();
  const double cpu = process_cpu_seconds();
  const Stopwatch watch;
  ADUANA_TRY(build_graph(real_files(), links, nullptr, path, options));
  figures.build = std::min(figures.build, watch.seconds() * 1e9 / static_cast<double>(out.links()));
  figures.build_cpu =
      std::min(figures.build_cpu, (process_cpu_seconds() - cpu) * 1e9 / static_cast<double>(out.links()));
  return {};
}

}  // namespace

Result<GraphFigures> measure_graph(const Csr<uint32_t>& out, const std::string& folder, unsigned repeat) {
  GraphFigures figures;
  figures.nodes = out.nodes();
  figures.links = out.links();
  if (out.links() == 0) return Error(Code::invalid, "there is nothing to measure in a graph without links");
  const std::string path = join_path(folder, "graph");
  figures.build = figures.build_cpu = INFINITY;
  for (unsigned i = 0; i < (repeat + 1) / 2; ++i) ADUANA_TRY(build(out, path, figures));

  ADUANA_ASSIGN(const auto graph, Graph::open(real_files(), path));
  const auto bits = [&](uint64_t bytes) { return 8 * static_cast<double>(bytes) / static_cast<double>(out.links()); };
  figures.bits_out = bits(graph->sizes().out);
  figures.bits_in = bits(graph->sizes().in);
  ADUANA_ASSIGN(const auto in, Csr<uint32_t>::from_graph(out, Rows::transposed));

  Random random(7);
  std::vector<Node> pages(kRandomRows);
  uint64_t links_of_pages = 0;
  for (Node& page : pages) links_of_pages += out.row(page = random.below(out.nodes())).size();

  const uint64_t links = out.links();
  const Contender contenders[] = {
      {figures.jacobi, links,
       [&] {
         uint64_t loops = kLoops;
         return jacobi_loop(out, in, 0, loops);
       }},
      {figures.page_rank_csr, links, [&] { return page_rank_loop(in); }},
      {figures.page_rank_packed, links, [&] { return page_rank_loop(graph->in()); }},
      {figures.hits, links, [&] { return hits_loop(out, in); }},
      {figures.walk_csr, links, [&] { return walk(out); }},
      {figures.sequential_out, links, [&] { return decode(graph->out()); }},
      {figures.sequential_in, links, [&] { return decode(graph->in()); }},
      {figures.walk_out, links, [&] { return walk(graph->out()); }},
      {figures.walk_in, links, [&] { return walk(graph->in()); }},
      {figures.random_row, pages.size(), [&] { return read_rows(graph->out(), pages); }},
  };
  ADUANA_TRY(count_loops(out, in, figures));
  for (const Contender& contender : contenders) contender.figure = INFINITY;
  for (unsigned i = 0; i < repeat; ++i) {
    for (const Contender& contender : contenders) {
      // On a small graph several times, so that it isn't the caches of the one before that are measured.
      for (double spent = 0; spent < kLeastTurn;) {
        ADUANA_ASSIGN(const double seconds, contender.seconds());
        contender.figure = std::min(contender.figure, seconds * 1e9 / static_cast<double>(contender.shared_by));
        spent += std::max(seconds, 1e-3);
      }
    }
  }
  figures.random_out = figures.random_row * static_cast<double>(pages.size()) /
                       static_cast<double>(std::max<uint64_t>(1, links_of_pages));
  return figures;
}

}  // namespace aduana::bench
