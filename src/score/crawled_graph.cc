#include "score/crawled_graph.h"

#include <algorithm>

namespace aduana {

Result<CrawledGraph> CrawledGraph::read(ScoreInput& input, uint64_t most_bytes) {
  CrawledGraph graph(std::move(input.links));
  const uint64_t pages = input.pages.size();
  graph.discoverers_.assign(pages, kNobody);
  graph.places_.assign(pages, 0);
  graph.in_memory_ = pages <= UINT32_MAX && input.n_links * sizeof(uint32_t) <= most_bytes;
  std::vector<uint64_t> found;
  while (true) {
    ADUANA_ASSIGN(const auto row, graph.stream_.next_crawled());
    if (!row) return graph;
    const auto number = static_cast<uint32_t>(std::min<uint64_t>(graph.rows(), kNobody));
    graph.crawled_.push_back(row->from.value);
    found.clear();
    for (const PageIdx link : row->to) {
      if (graph.in_memory_) graph.links_.push_back(static_cast<uint32_t>(link.value));
      // A page that is crawled already was not shown by this one.
      if (graph.discoverers_[link.value] == kNobody && link.value > row->from.value) found.push_back(link.value);
    }
    std::sort(found.begin(), found.end());
    for (size_t i = 0; i < found.size(); ++i) {
      graph.discoverers_[found[i]] = number;
      graph.places_[found[i]] = static_cast<uint32_t>(i);
    }
    graph.ends_.push_back(graph.links_.size());
  }
}

}  // namespace aduana
