#include "graph_commands.h"

#include <fmt/format.h>

#include "base/json_line.h"
#include "messages.h"

namespace aduana {

void add_graph_commands(CLI::App& app, int& exit_code) {
  CLI::App* graph = app.add_subcommand("graph", "Build a compressed graph of links, look up its rows, rank its pages");
  graph->require_subcommand(1);
  add_graph_build(*graph, exit_code);
  add_graph_stats(*graph, exit_code);
  add_graph_rows(*graph, exit_code);
  add_graph_ranks(*graph, exit_code);
  add_graph_check(*graph, exit_code);
}

CLI::App* add_graph_command(CLI::App& graph, const std::string& name, const std::string& description,
                            GraphArguments& arguments, const std::string& exit_code_1) {
  CLI::App* command = add_command(graph, name, description, arguments.json, exit_code_1, "no graph");
  command->add_option("GRAPH", arguments.path, "File made by `aduana graph build`")->required();
  return command;
}

Result<std::string> page_json(const Graph& graph, Node node) {
  JsonLine line;
  line.number("node", node);
  if (graph.urls()) {
    ADUANA_ASSIGN(const std::string url, graph.urls()->url(node));
    line.text("url", url);
  }
  return line.object();
}

Result<std::string> page_text(const Graph& graph, Node node) {
  if (!graph.urls()) return std::to_string(node);
  ADUANA_ASSIGN(const std::string url, graph.urls()->url(node));
  return fmt::format("{} {}", node, url.empty() ? "(deleted)" : printable(url));
}

}  // namespace aduana
