// PageRank of the web as far as it is known, with a guess at what the pages link that are not crawled yet.
//
// PageRank alone has to let those pages jump to anywhere. Here a page that is not crawled does what one of the crawled
// pages does that stand beside it, on the same page that links it: it follows the links of that one, but for those
// that only that one has. As one more such page counts a habit: half goes back to the page that links it, half jumps.
// A page that none links jumps.
// So menus, links back and dead ends are learned where they are. (docs/crawl-order.md)
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graph/rank/convergence.h"
#include "score/crawled_graph.h"

namespace aduana {

struct ImitationOptions {
  double damping = 0.85;
  std::span<const float> content;  // from 0 to 1: links count by that of the page behind them; empty: all alike
  uint64_t loops = 6;
};

// `values`, one a page, are where it begins, and the result: they add up to 1. Stops with Code::closed when `go_on`
// says no.
Result<Convergence> imitation_rank(CrawledGraph& graph, const ImitationOptions& options,
                                   const std::function<bool()>& go_on, std::vector<float>& values);

}  // namespace aduana
