#include "serve/rest/links_api.h"

#include "base/json_line.h"
#include "serve/rest/json_values.h"
#include "serve/rest/responses.h"
#include "serve/rest/values.h"

namespace aduana {

namespace {

constexpr uint64_t kMostLinks = 10'000;

std::string links_json(const std::vector<PageInfo>& pages) {
  std::string list = "[";
  for (const PageInfo& page : pages) {
    if (list.size() > 1) list += ',';
    list += JsonLine().text("url", page.url).text("state", name_of(page.state)).number("score", page.score).object();
  }
  return list + ']';
}

}  // namespace

void LinksApi::add_to(Routes& routes) {
  const std::vector<std::string_view> known = {"url", "direction", "limit", "crawl", "queue", "source"};
  const auto links_of = [this, known](const HttpRequest& request) {
    const auto query = Query::parse(request.query, known);
    return query ? response_of(request, links(*query)) : error_response(request, query.error());
  };
  routes.add(Method::get, "/links", For::readers, links_of, known, Pace::slow);
  const auto graph = [this](const HttpRequest& request) { return response_of(request, make_graph()); };
  routes.add(Method::post, "/graph", For::admins, graph, Parameters::value_type(), Pace::slow);
}

Result<std::string> LinksApi::links(const Query& query) {
  ADUANA_ASSIGN(const std::string url, query.required("url", kExampleUrl));
  const std::string_view direction = query.text_or("direction", "out");
  if (direction != "out" && direction != "in") return invalid("direction must be out or in");
  ADUANA_ASSIGN(const uint64_t limit, query.number("limit", 100, 0, kMostLinks));
  const std::string* wanted = query.text("source");
  if (wanted && *wanted != "store" && *wanted != "graph") return invalid("source must be store or graph");
  const std::string_view source = wanted ? std::string_view(*wanted) : std::string_view();
  std::string_view crawl = query.text_or("crawl", "");
  if (crawl == kDefaultCrawl) crawl = {};
  ADUANA_ASSIGN(const Found found, find({url, crawl, query.text_or("queue", "")},
                                        direction == "in" ? LinkDirection::in : LinkDirection::out, limit, source));
  return JsonLine()
      .text("url", url)
      .text("direction", direction)
      .number("total", found.links.total)
      .text("source", found.source)
      .number("as_of", seconds_of(found.as_of))
      .json("links", links_json(found.links.pages))
      .object();
}

Result<LinksApi::Found> LinksApi::find(const PageRef& page, LinkDirection direction, uint64_t limit,
                                       std::string_view source) {
  if (source == "graph" && (!page.crawl.empty() || !page.queue.empty())) {
    return Error(Code::not_found, "a graph knows no crawls and no queues; leave source out");
  }
  // The store has the links out of a page with the page. In a graph all crawls are one.
  const auto newest = graph_.newest();
  const bool store_is_better =
      direction == LinkDirection::out || !page.crawl.empty() || !page.queue.empty() || !newest || !newest->one_crawl;
  if (source == "graph" || (source.empty() && !store_is_better)) {
    ADUANA_ASSIGN(auto found, find_in_graph(page, direction, limit));
    // Without a link, or with one from a page that is not there, the URL may stand for several pages: the store knows.
    const bool is_sure =
        found && found->links.total > 0 && found->links.pages.size() == std::min(found->links.total, limit);
    if (found && (source == "graph" || is_sure)) return std::move(*found);
    if (source == "graph") {
      return Error(Code::not_found, graph_.newest() ? "the page is newer than the graph; POST /graph makes a new one"
                                                    : "there is no graph yet; POST /graph makes one");
    }
  }
  const Instant now = clock_.now();
  ADUANA_ASSIGN(PageLinks links, frontier_.links(page, direction, limit));
  return Found{std::move(links), "store", now};
}

Result<std::optional<LinksApi::Found>> LinksApi::find_in_graph(const PageRef& page, LinkDirection direction,
                                                               uint64_t limit) {
  const auto snapshot = graph_.newest();
  if (!snapshot) return std::optional<Found>();
  ADUANA_ASSIGN(const PageInfo info, frontier_.page(page));
  ADUANA_ASSIGN(const auto linked, snapshot->graph->links_of(info.url, direction, limit));
  if (!linked) return std::optional<Found>();
  Found found{{linked->total, {}}, "graph", snapshot->as_of};
  for (const std::string& url : linked->urls) {
    auto now = frontier_.page({url});
    if (!now && now.error().code() != Code::not_found) return now.error();
    if (now) found.links.pages.push_back(std::move(*now));  // else it was deleted, or is of another crawl
  }
  return std::optional(std::move(found));
}

Result<std::string> LinksApi::make_graph() {
  const Millis begin = clock_.elapsed();
  ADUANA_ASSIGN(const auto made, graph_.make());
  return JsonLine()
      .number("pages", made->graph->pages())
      .number("links", made->graph->links())
      .number("took", seconds_of(clock_.elapsed() - begin))
      .object();
}

}  // namespace aduana
