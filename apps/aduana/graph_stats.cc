// `aduana graph stats`: how large a graph is, and in how many bits.

#include <fmt/format.h>

#include "base/json_line.h"
#include "exit_code.h"
#include "graph_commands.h"
#include "messages.h"
#include "output.h"

namespace aduana {
namespace {

Result<int> run(const GraphArguments& arguments) {
  ADUANA_ASSIGN(const auto graph, Graph::open(real_files(), arguments.path));
  const GraphSizes& sizes = graph->sizes();
  const auto bits = [&](uint64_t bytes) {
    return graph->links() ? 8.0 * static_cast<double>(bytes) / static_cast<double>(graph->links()) : 0.0;
  };
  Output output;
  if (arguments.json) {
    output.write(JsonLine()
                     .number("nodes", graph->nodes())
                     .number("links", graph->links())
                     .number("bits_per_link", bits(sizes.out))
                     .number("bits_per_link_transpose", bits(sizes.in))
                     .number("bytes", sizes.file)
                     .number("bytes_out", sizes.out)
                     .number("bytes_in", sizes.in)
                     .number("bytes_urls", sizes.urls)
                     .line());
  } else {
    output.write(
        fmt::format("pages           {}\nlinks           {}\n", grouped(graph->nodes()), grouped(graph->links())));
    output.write(fmt::format("links out       {:.3f} bits a link, {} bytes\n", bits(sizes.out), grouped(sizes.out)));
    output.write(fmt::format("links in        {:.3f} bits a link, {} bytes\n", bits(sizes.in), grouped(sizes.in)));
    if (graph->urls()) {
      output.write(
          fmt::format("URLs            {:.1f} bytes each, {} bytes\n",
                      static_cast<double>(sizes.urls) / static_cast<double>(std::max<uint64_t>(1, graph->nodes())),
                      grouped(sizes.urls)));
    }
    output.write(fmt::format("file            {} bytes\n", grouped(sizes.file)));
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_graph_stats(CLI::App& graph, int& exit_code) {
  auto arguments = std::make_shared<GraphArguments>();
  CLI::App* command =
      add_graph_command(graph, "stats", "Count pages and links, and the bits that a link takes, all included",
                        *arguments, "the graph is damaged");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
