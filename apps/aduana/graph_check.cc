// `aduana graph check`: every checksum of a graph, every row, and whether both directions say the same.

#include "graph_commands.h"
#include "problem_list.h"

namespace aduana {
namespace {

Result<int> run(const GraphArguments& arguments) {
  const auto graph = Graph::open(real_files(), arguments.path);
  if (!graph && graph.error().code() != Code::corrupt) return graph.error();
  ProblemList problems(arguments.json);
  if (!graph) {
    problems.add(graph.error().message());
    return problems.finish(0, 0);
  }
  const Status checked = (*graph)->check([&](const std::string& problem) { problems.add(problem); });
  if (!checked) problems.add(checked.error().message());
  return problems.finish((*graph)->nodes(), (*graph)->links());
}

}  // namespace

void add_graph_check(CLI::App& graph, int& exit_code) {
  auto arguments = std::make_shared<GraphArguments>();
  CLI::App* command = add_graph_command(graph, "check", "Verify every checksum and row, and list what is wrong",
                                        *arguments, "something is wrong, as listed");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
