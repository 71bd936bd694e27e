// Csr: a graph in memory, all rows one after the other and where each begins ("compressed sparse row"). The fastest
// RowGraph to walk, at sizeof(T) bytes a link and 8 a node; T is uint32_t for up to 2^32 nodes, else uint64_t.
//
// Immutable once made. Rows are sorted and without duplicates, whatever they are made from.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "graph/edges/link_source.h"
#include "graph/row_graph.h"

namespace aduana {

enum class Rows {
  as_given,    // row of a page: the pages it links to
  transposed,  // row of a page: the pages that link to it
};

template <class T>
class Csr {
  static_assert(std::same_as<T, uint32_t> || std::same_as<T, uint64_t>);

 public:
  // Sorted by counting: the source is read twice. Code::invalid for a link that names a page from `nodes` on and for
  // more nodes than T can number; Code::corrupt when the second reading gives other links than the first.
  static Result<Csr> from_links(LinkSource& source, uint64_t nodes, Rows rows = Rows::as_given);
  static Result<Csr> from_rows(std::vector<std::vector<T>> rows);

  template <RowGraph G>
  static Result<Csr> from_graph(const G& graph, Rows rows = Rows::as_given);

  uint64_t nodes() const { return offsets_.size() - 1; }
  uint64_t links() const { return targets_.size(); }

  std::span<const T> row(Node node) const {
    return {targets_.data() + offsets_[node], static_cast<size_t>(offsets_[node + 1] - offsets_[node])};
  }

  template <class F>
  Status for_each_row(Node lo, Node hi, F&& f) const {
    const T* const targets = targets_.data();
    const uint64_t* const offsets = offsets_.data();
    for (Node node = lo; node < hi; ++node) {
      f(node, std::span<const T>(targets + offsets[node], targets + offsets[node + 1]));
    }
    return {};
  }

 private:
  Csr() = default;

  static Status check_nodes(uint64_t nodes);
  void count(Node node) { ++offsets_[node + 1]; }
  void counts_to_offsets();
  void sort_rows();

  std::vector<uint64_t> offsets_;  // where each row begins, and the end of the last
  std::vector<T> targets_;
};

extern template class Csr<uint32_t>;
extern template class Csr<uint64_t>;

template <class T>
template <RowGraph G>
Result<Csr<T>> Csr<T>::from_graph(const G& graph, Rows rows) {
  const uint64_t nodes = graph.nodes();
  ADUANA_TRY(check_nodes(nodes));
  Csr csr;
  csr.offsets_.assign(nodes + 1, 0);
  if (rows == Rows::as_given) {
    csr.targets_.reserve(graph.links());
    ADUANA_TRY(graph.for_each_row(0, nodes, [&](Node node, auto row) {
      csr.targets_.insert(csr.targets_.end(), row.begin(), row.end());
      csr.offsets_[node + 1] = csr.targets_.size();
    }));
    return csr;
  }
  ADUANA_TRY(graph.for_each_row(0, nodes, [&](Node, auto row) {
    for (const Node target : row) csr.count(target);
  }));
  csr.counts_to_offsets();
  std::vector<uint64_t> at(csr.offsets_.begin(), csr.offsets_.end() - 1);
  ADUANA_TRY(graph.for_each_row(0, nodes, [&](Node node, auto row) {
    for (const Node target : row) csr.targets_[at[target]++] = static_cast<T>(node);
  }));
  return csr;
}

}  // namespace aduana
