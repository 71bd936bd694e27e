// Walks a LinkSource from its start. Page numbers are checked here, each time: a source may read a file that somebody
// damaged, and the arrays that the numbers index have no other guard.
#pragma once

#include <string>
#include <vector>

#include "graph/edges/link_source.h"

namespace aduana {

// Calls f(from, to) for every link; Code::invalid at the first that names a page from `nodes` on.
template <class F>
Status for_each_link(LinkSource& source, uint64_t nodes, F f) {
  constexpr size_t kLinksAtOnce = 2048;  // 32 KiB: the buffer stays in the first-level cache
  ADUANA_TRY(source.reset());
  std::vector<NodeLink> buffer(kLinksAtOnce);
  for (;;) {
    ADUANA_ASSIGN(const size_t n, source.next(buffer));
    if (n == 0) return {};
    for (const NodeLink& link : std::span(buffer).first(n)) {
      if (link.from >= nodes || link.to >= nodes) {
        return Error(Code::invalid, "link from page " + std::to_string(link.from) + " to " + std::to_string(link.to) +
                                        " in a graph of " + std::to_string(nodes) +
                                        " pages; set the number of pages first");
      }
      f(link.from, link.to);
    }
  }
}

}  // namespace aduana
