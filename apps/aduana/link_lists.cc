#include "link_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/edges/edge_file.h"
#include "graph/edges/link_key.h"
#include "graph/edges/plausible_links.h"
#include "graph/graph_header.h"
#include "messages.h"

namespace aduana {
Result<LinkLists> LinkLists::open(const std::string& path) {
  const auto is_graph = begins_like_graph(real_files(), path);
  if (is_graph && *is_graph) {
    ADUANA_ASSIGN(const auto graph, Graph::open(real_files(), path));
    auto lists = from_graph(*graph);
    return lists ? std::move(lists) : lists.error().within(path);
  }
  ADUANA_ASSIGN(const auto source, open_edge_file(path));  // whose errors say what kind of file to name
  auto lists = from_links(*source);
  // Errors of reading name the file themselves.
  return lists || lists.error().code() != Code::invalid ? std::move(lists) : lists.error().within(path);
}

Result<LinkLists> LinkLists::from_links(LinkSource& source) {
  std::vector<NarrowKey> keys;
  std::vector<NodeLink> buffer(2048);
  Node last = 0;
  for (;;) {
    ADUANA_ASSIGN(const size_t n, source.next(buffer));
    if (n == 0) break;
    for (const NodeLink& link : std::span(buffer).first(n)) {
      last = std::max({last, link.from, link.to});
      keys.push_back(key_of<NarrowKey>(link));
    }
  }
  LinkLists lists;
  if (keys.empty()) return lists;
  ADUANA_TRY(test_plausible(last + 1, keys.size()));
  lists.offsets_.assign(last + 2, 0);
  for (const NarrowKey key : keys) ++lists.offsets_[link_of(key).from + 1];
  for (size_t i = 1; i < lists.offsets_.size(); ++i) lists.offsets_[i] += lists.offsets_[i - 1];
  lists.targets_.resize(keys.size());
  std::vector<uint64_t> at(lists.offsets_.begin(), lists.offsets_.end() - 1);
  for (const NarrowKey key : keys) {
    const NodeLink link = link_of(key);
    lists.targets_[at[link.from]++] = static_cast<uint32_t>(link.to);
  }
  lists.drop_repetitions();
  return lists;
}

Result<LinkLists> LinkLists::from_graph(const Graph& graph) {
  if (graph.nodes() > UINT32_MAX) {
    return Error(Code::too_large, fmt::format("{} are more than can be simulated, which is {}",
                                              counted(graph.nodes(), "page"), grouped(UINT32_MAX)));
  }
  LinkLists lists;
  lists.offsets_.reserve(graph.nodes() + 1);
  lists.targets_.reserve(graph.links());
  ADUANA_TRY(graph.out().for_each_row(0, graph.nodes(), [&](Node, auto row) {
    for (const Node target : row) lists.targets_.push_back(static_cast<uint32_t>(target));
    lists.offsets_.push_back(lists.targets_.size());
  }));
  return lists;
}

// Keeps the first of the same links in a list, and closes the gaps.
void LinkLists::drop_repetitions() {
  std::vector<uint64_t> seen_in(nodes(), 0);  // the list that named the page last, counted from 1
  uint64_t begin = 0, end = 0;
  for (Node node = 0; node < nodes(); ++node) {
    for (uint64_t i = begin; i < offsets_[node + 1]; ++i) {
      const uint32_t target = targets_[i];
      if (seen_in[target] == node + 1) continue;
      seen_in[target] = node + 1;
      targets_[end++] = target;
    }
    begin = offsets_[node + 1];
    offsets_[node + 1] = end;
  }
  targets_.resize(end);
}

}  // namespace aduana
