#include "aduana/link_graph.h"

#include "graph/graph.h"

namespace aduana {
namespace {

class OpenGraph final : public LinkGraph {
 public:
  explicit OpenGraph(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}

  uint64_t pages() const override { return graph_->nodes(); }
  uint64_t links() const override { return graph_->links(); }

  Result<std::optional<LinkedUrls>> links_of(std::string_view url, LinkDirection direction,
                                             size_t most) const override {
    ADUANA_ASSIGN(const auto node, graph_->urls()->find(url));
    if (!node) return std::optional<LinkedUrls>();
    CompressedRows::Reader reader(direction == LinkDirection::in ? graph_->in() : graph_->out());
    ADUANA_ASSIGN(const auto row, reader.row(*node));
    LinkedUrls links;
    links.total = row.size();
    for (const Node link : row.first(std::min(most, row.size()))) {
      ADUANA_ASSIGN(std::string linked, graph_->urls()->url(link));
      links.urls.push_back(std::move(linked));
    }
    return std::optional(std::move(links));
  }

 private:
  const std::unique_ptr<Graph> graph_;
};

}  // namespace

Result<std::unique_ptr<LinkGraph>> LinkGraph::open(const std::string& path) {
  ADUANA_ASSIGN(auto graph, Graph::open(real_files(), path));
  if (!graph->urls()) {
    return Error(Code::invalid, path + ": this graph has no URLs, only numbers: it was not made from a store");
  }
  return std::unique_ptr<LinkGraph>(std::make_unique<OpenGraph>(std::move(graph)));
}

}  // namespace aduana
