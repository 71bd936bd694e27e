// LinkLists: a graph in memory for a crawl that has no network: what stands on each page, in the order in which the
// file lists it, each link once; links of a page to itself, too. The order matters, since pages found first come first
// where nothing else decides; Csr and graph files sort it away.
//
// Immutable once made. Takes 4 bytes a link and 8 a page, and 12 a link while an edge file is read. It can be handed to
// Csr::from_graph() to be transposed, which is all that its unsorted rows are good for as a RowGraph.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "graph/edges/link_source.h"
#include "graph/graph.h"

namespace aduana {

class LinkLists {
 public:
  // An edge file, compressed or not, or a graph of `aduana graph build`: told apart by how it begins.
  static Result<LinkLists> open(const std::string& path);

  uint64_t nodes() const { return offsets_.size() - 1; }
  uint64_t links() const { return targets_.size(); }

  std::span<const uint32_t> row(Node node) const {
    return {targets_.data() + offsets_[node], targets_.data() + offsets_[node + 1]};
  }
  template <class F>
  Status for_each_row(Node lo, Node hi, F&& f) const {
    for (Node node = lo; node < hi; ++node) f(node, row(node));
    return {};
  }

 private:
  LinkLists() = default;

  static Result<LinkLists> from_links(LinkSource& source);
  static Result<LinkLists> from_graph(const Graph& graph);
  void drop_repetitions();

  std::vector<uint64_t> offsets_ = {0};  // where each list begins, and the end of the last
  std::vector<uint32_t> targets_;
};

}  // namespace aduana
