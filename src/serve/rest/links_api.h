// Who links to whom: GET /links, from the store or from a graph of a while ago, and POST /graph, which makes one
// (docs/rest.md). Thread-safe.
#pragma once

#include <string>

#include "aduana/frontier.h"
#include "serve/http/query.h"
#include "serve/rest/graph_snapshot.h"
#include "serve/rest/routes.h"

namespace aduana {

class LinksApi {
 public:
  LinksApi(Frontier& frontier, const Clock& clock, const std::string& dir, Millis graph_interval)
      : frontier_(frontier), clock_(clock), graph_(frontier, clock, dir, graph_interval) {}

  void add_to(Routes& routes);
  // What takes long is given up.
  void stop() { graph_.stop(); }

 private:
  // Links and where they are from.
  struct Found {
    PageLinks links;
    const char* source;
    Instant as_of;
  };
  Result<std::string> links(const Query& query);
  Result<std::string> make_graph();
  Result<Found> find(const PageRef& page, LinkDirection direction, uint64_t limit, std::string_view source);
  // Nothing if there is no graph, or the page is not in it.
  Result<std::optional<Found>> find_in_graph(const PageRef& page, LinkDirection direction, uint64_t limit);

  Frontier& frontier_;
  const Clock& clock_;
  GraphSnapshot graph_;
};

}  // namespace aduana
