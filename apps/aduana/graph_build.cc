// `aduana graph build`: a compressed graph of the links of a store, or of a file of pairs.

#include <fmt/format.h>

#include <filesystem>

#include "base/json_line.h"
#include "exit_code.h"
#include "frontier/graph_of_store.h"
#include "graph/edges/edge_file.h"
#include "graph/graph_header.h"
#include "graph_commands.h"
#include "interrupt.h"
#include "messages.h"
#include "open_store.h"
#include "output.h"
#include "progress.h"
#include "size_argument.h"

namespace aduana {
namespace {

struct BuildArguments {
  std::string source, path;
  bool json = false;
  uint64_t memory = uint64_t{1} << 30;
  unsigned threads = 2;
  std::string order = "url";
  std::string scratch;
};

// Where the graph is to be: what a symbolic link points to, and nothing that a graph must not replace.
Result<std::string> target_of(const BuildArguments& arguments) {
  namespace fs = std::filesystem;
  if (arguments.path.empty()) return Error(Code::invalid, "GRAPH is empty: give the graph a name");
  std::error_code unknown;
  const fs::path target = fs::is_symlink(arguments.path, unknown) ? fs::weakly_canonical(arguments.path, unknown)
                                                                  : fs::path(arguments.path);
  if (fs::exists(target, unknown) && !fs::is_regular_file(target, unknown)) {
    return Error(Code::exists, fmt::format("{} is no file that could be replaced by a graph; give another name",
                                           printable(target.string())));
  }
  ADUANA_TRY(test_not_read(target.string(), arguments.source));
  return target.string();
}

Status build(const BuildArguments& arguments) {
  GraphBuildOptions options;
  options.memory_bytes = arguments.memory;
  options.threads = arguments.threads;
  options.scratch_folder = arguments.scratch;
  options.order_by_url = arguments.order == "url";
  Progress progress;
  options.progress = [&](const char* step, uint64_t done) {
    if (done == 0 || progress.due()) {
      progress.show(done ? fmt::format("{}: {}", step, grouped(done)) : std::string(step));
    }
    return interrupted() == 0;
  };
  ADUANA_ASSIGN(const std::string target, target_of(arguments));
  std::error_code unknown;  // then opening it tells what is wrong
  if (!std::filesystem::is_directory(arguments.source, unknown)) {
    if (const auto graph = begins_like_graph(real_files(), arguments.source); graph && *graph) {
      return Error(Code::invalid,
                   fmt::format("{} is a graph already; name a file of links, or a store", printable(arguments.source)));
    }
    ADUANA_ASSIGN(const auto links, open_edge_file(arguments.source));
    const Status built = build_graph(real_files(), *links, nullptr, target, options);
    // Errors of reading name the file themselves.
    return built || built.error().code() != Code::invalid ? built : built.error().within(arguments.source);
  }
  ADUANA_ASSIGN(const auto store, open_for_reading(arguments.source));
  return build_graph_of(real_files(), store->snapshot(), target, options);
}

Result<int> run(const BuildArguments& arguments) {
  catch_interrupts();
  const Status built = build(arguments);
  if (!built && interrupted()) return kSignalled + interrupted();
  if (!built) return built.error();
  ADUANA_ASSIGN(const auto graph, Graph::open(real_files(), arguments.path));
  Output output;
  if (arguments.json) {
    output.write(JsonLine()
                     .number("nodes", graph->nodes())
                     .number("links", graph->links())
                     .number("bytes", graph->sizes().file)
                     .line());
  } else {
    output.write(fmt::format("{}: {}, {}, {} bytes\n", printable(arguments.path), counted(graph->nodes(), "page"),
                             counted(graph->links(), "link"), grouped(graph->sizes().file)));
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_graph_build(CLI::App& graph, int& exit_code) {
  auto arguments = std::make_shared<BuildArguments>();
  CLI::App* command = add_command(graph, "build", "Compress the links of a store, or of a file, into a graph",
                                  arguments->json, "the store or the file is damaged", "no store, no file");
  command
      ->add_option(
          "SOURCE", arguments->source,
          "Folder of a store, or a file of links: pairs (source, target) of 32-bit little-endian numbers, plain "
          "or compressed with xz, gzip or zstd")
      ->required();
  command->add_option("GRAPH", arguments->path, "The file to make; one that is there is replaced at the end")
      ->required();
  add_size_option(command, "--memory", arguments->memory, "To work in, about; what does not fit goes to disk")
      ->option_text("SIZE [1G]");
  command->add_option("--threads", arguments->threads, "To work with")->capture_default_str()->check(CLI::Range(1, 64));
  command
      ->add_option(
          "--order", arguments->order,
          "How the pages of a store are numbered: by URL with the host's labels reversed, which compresses best, or "
          "as in the store")
      ->capture_default_str()
      ->check(CLI::IsMember({"url", "index"}));
  command->add_option("--scratch", arguments->scratch, "Folder for what does not fit in memory; else beside GRAPH");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
