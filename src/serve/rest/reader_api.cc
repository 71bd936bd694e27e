#include "serve/rest/reader_api.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_line.h"
#include "serve/rest/failure_kinds.h"
#include "serve/rest/host_json.h"
#include "serve/rest/json_values.h"
#include "serve/rest/responses.h"
#include "serve/rest/values.h"

namespace aduana {

namespace {

constexpr uint64_t kMostLinks = 10'000;
constexpr uint64_t kMostBest = 1000;

Result<std::string> url_of(const Query& query) {
  const std::string* url = query.text("url");
  if (!url || url->empty()) return invalid("the parameter url is missing: ?url=http%3A%2F%2Fexample.com%2F");
  return *url;
}

std::string page_json(const PageInfo& page, std::string_view crawl, const PageScore& score) {
  const auto time = [&](Instant t) { return page.n_crawls ? fmt::format("{}", seconds_of(t)) : "null"; };
  const double rate = change_rate(page);
  return JsonLine()
      .text("url", page.url)
      .text("host", page.host)
      .text("crawl", crawl.empty() ? "DEFAULT" : crawl)
      .text("state", name_of(page.state))
      .number("depth", page.depth)
      .number("score", page.score)
      .json("rank", JsonLine().number("before", score.before).number("now", score.now).object())
      .text("hash", fmt::format("{:016x}", page.hash))
      .json("linked_from", page.linked_from == kNoPage ? "null" : fmt::format("\"{:016x}\"", page.linked_from_hash))
      .number("crawls", page.n_crawls)
      .number("changes", page.n_changes)
      .json("first_crawl", time(page.first_crawl))
      .json("last_crawl", time(page.last_crawl))
      .text("content_hash", page.content_hash)
      .text("metadata", page.metadata)
      .json("change_rate", rate < 0 ? "null" : fmt::format("{}", rate))
      .object();
}

}  // namespace

void ReaderApi::add_to(Routes& routes) {
  using Answer = Result<std::string> (ReaderApi::*)(const Query&);
  const auto add = [&](std::string path, Answer answer, std::vector<std::string_view> known) {
    routes.add(Method::get, std::move(path), For::readers,
               [this, answer, known = std::move(known)](const HttpRequest& request) {
                 const auto query = Query::parse(request.query, known);
                 if (!query) return error_response(request, query.error());
                 auto json = (this->*answer)(*query);
                 return json ? json_response(std::move(*json)) : error_response(request, json.error());
               });
  };
  add("/page", &ReaderApi::page, {"url", "crawl"});
  add("/links", &ReaderApi::links, {"url", "direction", "limit", "crawl"});
  add("/best", &ReaderApi::best, {"n"});
  add("/host", &ReaderApi::host, {"key", "crawl"});
  add("/hosts", &ReaderApi::hosts, {"sort", "order", "offset", "limit", "search", "crawl"});
  add("/failures", &ReaderApi::failures, {"n"});
  add("/series", &ReaderApi::series, {});
}

Result<std::string> ReaderApi::page(const Query& query) {
  ADUANA_ASSIGN(const std::string url, url_of(query));
  const std::string_view crawl = query.text_or("crawl", "");
  ADUANA_ASSIGN(const PageInfo page, frontier_.page({url, crawl}));
  ADUANA_ASSIGN(const PageScore score, frontier_.score({url, crawl}));
  return page_json(page, crawl, score);
}

Result<std::string> ReaderApi::links(const Query& query) {
  ADUANA_ASSIGN(const std::string url, url_of(query));
  const std::string_view name = query.text_or("direction", "out");
  if (name != "out" && name != "in") return invalid("direction must be out or in");
  ADUANA_ASSIGN(const uint64_t limit, query.number("limit", 100, 0, kMostLinks));
  const Instant now = clock_.now();
  const LinkDirection direction = name == "in" ? LinkDirection::in : LinkDirection::out;
  ADUANA_ASSIGN(const PageLinks links, frontier_.links({url, query.text_or("crawl", "")}, direction, limit));
  std::string list = "[";
  for (const PageInfo& page : links.pages) {
    if (list.size() > 1) list += ',';
    list += JsonLine().text("url", page.url).text("state", name_of(page.state)).number("score", page.score).object();
  }
  return JsonLine()
      .text("url", url)
      .text("direction", name)
      .number("total", links.total)
      .text("source", "store")
      .number("as_of", seconds_of(now))
      .json("links", list + ']')
      .object();
}

Result<std::string> ReaderApi::best(const Query& query) {
  ADUANA_ASSIGN(const uint64_t n, query.number("n", 20, 0, kMostBest));
  ADUANA_ASSIGN(const auto pages, frontier_.best(n));
  std::string list = "[";
  for (const WaitingPage& page : pages) {
    if (list.size() > 1) list += ',';
    list += JsonLine()
                .text("url", page.url)
                .number("score", page.score)
                .number("depth", page.depth)
                .text("crawl", page.crawl)
                .text("queue", page.queue)
                .object();
  }
  return list + ']';
}

Result<std::string> ReaderApi::host(const Query& query) {
  const std::string* key = query.text("key");
  if (!key || key->empty()) return invalid("the parameter key is missing: ?key=example.com");
  ADUANA_ASSIGN(const QueueStatus host, frontier_.queue(*key, query.text_or("crawl", "")));
  return host_json(host);
}

Result<std::string> ReaderApi::hosts(const Query& query) {
  HostQuery wanted;
  ADUANA_ASSIGN(wanted.sort, host_sort_named(query.text_or("sort", "pending")));
  const std::string_view order = query.text_or("order", "desc");
  if (order != "asc" && order != "desc") return invalid("order must be asc or desc");
  wanted.descending = order == "desc";
  ADUANA_ASSIGN(wanted.offset, query.number("offset", 0, 0, uint64_t{1} << 40));
  ADUANA_ASSIGN(wanted.limit, query.number("limit", 50, 0, HostTable::kMostRows));
  wanted.search = query.text_or("search", "");
  wanted.crawl = query.text_or("crawl", "");
  ADUANA_ASSIGN(const HostTable::Page page, hosts_.find(wanted));
  std::string rows = "[";
  for (const QueueStatus& host : page.hosts) {
    if (rows.size() > 1) rows += ',';
    rows += host_json(host);
  }
  return JsonLine()
      .number("total", page.total)
      .number("as_of", seconds_of(page.as_of))
      .json("hosts", rows + ']')
      .object();
}

Result<std::string> ReaderApi::failures(const Query& query) {
  ADUANA_ASSIGN(const uint64_t n, query.number("n", 50, 0, 200));
  JsonLine reasons;
  for (const auto& [reason, count] : activity_.failures_by_reason()) reasons.number(reason, count);
  std::string recent = "[";
  for (const RecentFailure& failure : activity_.failures(n)) {
    if (recent.size() > 1) recent += ',';
    recent += JsonLine()
                  .number("time", seconds_of(failure.time))
                  .text("url", failure.url)
                  .text("kind", name_of(failure.kind))
                  .text("reason", failure.reason)
                  .object();
  }
  return JsonLine().json("by_reason", reasons.object()).json("recent", recent + ']').object();
}

Result<std::string> ReaderApi::series(const Query&) {
  const auto list = [&](Act act) { return fmt::format("[{}]", fmt::join(activity_.series(act), ",")); };
  return JsonLine()
      .number("step", 1)
      .number("end", std::floor(seconds_of(clock_.now())))
      .json("crawled", list(Act::crawled))
      .json("requested", list(Act::requested))
      .json("failed", list(Act::failed))
      .object();
}

}  // namespace aduana
