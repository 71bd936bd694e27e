#include "score/stored_graph.h"

namespace aduana {

Result<std::optional<Csr<uint32_t>>> graph_in_memory(LinkSource& links, const ScoreInput& input, Rows rows,
                                                     uint64_t most_bytes) {
  const uint64_t pages = input.pages.size();
  const uint64_t bytes = sizeof(uint64_t) * pages + sizeof(uint32_t) * input.n_links;
  if (pages > UINT32_MAX || bytes > most_bytes) return std::optional<Csr<uint32_t>>();
  ADUANA_ASSIGN(auto graph, Csr<uint32_t>::from_links(links, pages, rows));
  return std::optional(std::move(graph));
}

}  // namespace aduana
