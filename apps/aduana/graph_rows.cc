// `aduana graph out` and `aduana graph in`: the pages that a page links to, and those that link to it.

#include <fmt/format.h>

#include <algorithm>

#include "base/json_line.h"
#include "exit_code.h"
#include "graph_commands.h"
#include "messages.h"
#include "output.h"
#include "url/canonical.h"

namespace aduana {
namespace {

struct RowArguments : GraphArguments {
  std::string page;
};

// Nothing when there is no such page, which is told on standard error.
Result<std::optional<Node>> find_page(const Graph& graph, const std::string& page) {
  const bool is_number =
      !page.empty() && std::all_of(page.begin(), page.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_number) {
    const Node node = page.size() < 20 ? std::stoull(page) : graph.nodes();
    if (node < graph.nodes()) return std::optional(node);
    print_error(
        fmt::format("there is no page {}: there are {}, numbered from 0", printable(page), grouped(graph.nodes())));
    return std::optional<Node>();
  }
  if (!graph.urls()) {
    return Error(Code::invalid, fmt::format("{}: this graph has no URLs, only numbers: it was not made from a store",
                                            printable(page)));
  }
  Canonicalizer canonicalizer;
  ADUANA_ASSIGN(const CanonicalView canonical, canonicalizer.canonicalize(page));
  ADUANA_ASSIGN(const auto node, graph.urls()->find(canonical.text));
  if (!node) print_error(fmt::format("there is no page {}", printable(page)));
  return node;
}

Result<int> run(const RowArguments& arguments, bool in) {
  ADUANA_ASSIGN(const auto graph, Graph::open(real_files(), arguments.path));
  ADUANA_ASSIGN(const auto node, find_page(*graph, arguments.page));
  if (!node) return kDataProblem;
  CompressedRows::Reader reader(in ? graph->in() : graph->out());
  ADUANA_ASSIGN(const auto row, reader.row(*node));
  Output output;
  std::string list;
  for (const Node link : row) {
    if (arguments.json) {
      ADUANA_ASSIGN(const std::string page, page_json(*graph, link));
      list += page + ',';
    } else {
      ADUANA_ASSIGN(const std::string page, page_text(*graph, link));
      output.write(page + '\n');
    }
  }
  if (arguments.json) {
    if (!list.empty()) list.pop_back();
    ADUANA_ASSIGN(const std::string page, page_json(*graph, *node));
    output.write(JsonLine().json("page", page).json("links", '[' + list + ']').line());
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_graph_rows(CLI::App& graph, int& exit_code) {
  for (const bool in : {false, true}) {
    auto arguments = std::make_shared<RowArguments>();
    CLI::App* command = add_graph_command(
        graph, in ? "in" : "out", in ? "List the pages that link to a page" : "List the pages that a page links to",
        *arguments, "the page is unknown, or the graph is damaged");
    command->add_option("PAGE", arguments->page, "Number of the page, or its URL if the graph was made from a store")
        ->required()
        ->type_name("NODE|URL");
    on_call(command, exit_code, [arguments, in] { return run(*arguments, in); });
  }
}

}  // namespace aduana
