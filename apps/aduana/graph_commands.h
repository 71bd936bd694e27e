// `aduana graph …`: the commands on compressed graphs, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "commands.h"
#include "graph/graph.h"

namespace aduana {

// Registers `graph` with all its commands; the callback of the one that is called sets exit_code.
void add_graph_commands(CLI::App& app, int& exit_code);

struct GraphArguments {
  std::string path;
  bool json = false;
};

// The command `name` on a graph file.
CLI::App* add_graph_command(CLI::App& graph, const std::string& name, const std::string& description,
                            GraphArguments& arguments, const std::string& exit_code_1);

// A page in the output: its number, and its URL if the graph has URLs.
Result<std::string> page_json(const Graph& graph, Node node);
Result<std::string> page_text(const Graph& graph, Node node);

void add_graph_build(CLI::App& graph, int& exit_code);
void add_graph_stats(CLI::App& graph, int& exit_code);
void add_graph_rows(CLI::App& graph, int& exit_code);   // `out` and `in`
void add_graph_ranks(CLI::App& graph, int& exit_code);  // `pagerank` and `hits`
void add_graph_check(CLI::App& graph, int& exit_code);

}  // namespace aduana
