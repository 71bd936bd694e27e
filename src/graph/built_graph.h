// For tests: a graph file on a simulated disk, made of one of the shapes, and the rows that must come out of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/must.h"
#include "base/simulated_disk.h"
#include "graph/codec/shapes.h"
#include "graph/graph.h"
#include "graph/graph_builder.h"
#include "graph/names/listed_urls.h"
#include "graph/rank/random_graphs.h"

namespace aduana {

inline constexpr const char* kGraphPath = "/graph";

using RowLists = std::vector<std::vector<Node>>;

inline RowLists row_lists(uint64_t nodes, const std::vector<NodeLink>& links, bool transposed = false) {
  RowLists rows(nodes);
  for (const NodeLink& link : links) rows[transposed ? link.to : link.from].push_back(transposed ? link.from : link.to);
  for (auto& row : rows) std::sort(row.begin(), row.end());
  return rows;
}

// By the number that a page came with: the one that it has in a graph in URL order.
inline std::vector<Node> url_numbers(const std::vector<std::string>& urls) {
  const std::vector<Node> order = nodes_in_order(urls);
  std::vector<Node> numbers(order.size());
  for (Node position = 0; position < order.size(); ++position) numbers[order[position]] = position;
  return numbers;
}

inline Status build_on(FileSystem& disk, const Shape& shape, const std::vector<std::string>* urls,
                       GraphBuildOptions options) {
  ListedLinks links(shape.links);
  std::optional<ListedUrls> source;
  if (urls) source.emplace(*urls);
  options.nodes = shape.nodes;
  return build_graph(disk, links, source ? &*source : nullptr, kGraphPath, options);
}

// The bytes of a graph file.
inline std::string graph_bytes(const Shape& shape, const std::vector<std::string>* urls = nullptr,
                               const GraphBuildOptions& options = {}) {
  SimulatedDisk disk;
  must(build_on(disk, shape, urls, options));
  return must(read_file(disk, kGraphPath));
}

inline Result<std::unique_ptr<Graph>> open_bytes(const std::string& bytes) {
  SimulatedDisk disk;
  must(must(disk.open(kGraphPath, OpenMode::create_empty))->write_at(0, bytes));
  return Graph::open(disk, kGraphPath);
}

inline std::vector<std::string> problems_of(const Graph& graph) {
  std::vector<std::string> problems;
  must(graph.check([&](const std::string& problem) { problems.push_back(problem); }));
  return problems;
}

}  // namespace aduana
