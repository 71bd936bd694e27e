#include "serve/rest/reader_api.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_line.h"
#include "serve/rest/failure_kinds.h"
#include "serve/rest/host_json.h"
#include "serve/rest/json_values.h"
#include "serve/rest/page_json.h"
#include "serve/rest/responses.h"
#include "serve/rest/values.h"

namespace aduana {

namespace {

constexpr uint64_t kMostBest = 1000;

}  // namespace

void ReaderApi::add_to(Routes& routes) {
  using Answer = Result<std::string> (ReaderApi::*)(const Query&);
  const auto add = [&](std::string path, Answer answer, std::vector<std::string_view> known, Pace pace = Pace::quick) {
    const auto handle = [this, answer, known](const HttpRequest& request) {
      const auto query = Query::parse(request.query, known);
      return query ? response_of(request, (this->*answer)(*query)) : error_response(request, query.error());
    };
    routes.add(Method::get, std::move(path), For::readers, handle, std::move(known), pace);
  };
  add("/page", &ReaderApi::page, {"url", "crawl", "queue"});
  add("/best", &ReaderApi::best, {"n"}, Pace::slow);
  add("/host", &ReaderApi::host, {"key", "crawl"});
  add("/hosts", &ReaderApi::hosts, {"sort", "order", "offset", "limit", "search", "crawl"}, Pace::slow);
  add("/freshness", &ReaderApi::freshness, {}, Pace::slow);
  add("/failures", &ReaderApi::failures, {"n"});
  add("/series", &ReaderApi::series, {});
}

Result<std::string> ReaderApi::page(const Query& query) {
  ADUANA_ASSIGN(const std::string url, query.required("url", kExampleUrl));
  const std::string_view crawl = query.text_or("crawl", "");
  PageDetails details;
  details.crawl = crawl.empty() ? kDefaultCrawl : crawl;
  const PageRef wanted{url, crawl, query.text_or("queue", "")};
  ADUANA_ASSIGN(details.page, frontier_.page(wanted));
  ADUANA_ASSIGN(details.score, frontier_.score(wanted));
  if (details.page.linked_from != kNoPage) {
    // It may have been deleted since.
    if (const auto from = frontier_.page(details.page.linked_from)) details.linked_from_url = from->url;
  }
  details.history = events_.of(details.page.idx);
  return page_json(details);
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
  ADUANA_ASSIGN(const std::string key, query.required("key", kExampleKey));
  ADUANA_ASSIGN(const QueueStatus host, frontier_.queue(key, query.text_or("crawl", "")));
  return host_json(host, clock_.now());
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
  const Instant now = clock_.now();
  std::string rows = "[";
  for (const QueueStatus& host : page.hosts) {
    if (rows.size() > 1) rows += ',';
    rows += host_json(host, now);
  }
  std::string crawls = "[";
  for (const std::string& crawl : page.crawls) {
    if (crawls.size() > 1) crawls += ',';
    append_json_string(crawls, crawl);
  }
  return JsonLine()
      .number("total", page.total)
      .number("as_of", seconds_of(page.as_of))
      .json("crawls", crawls + ']')
      .json("hosts", rows + ']')
      .object();
}

Result<std::string> ReaderApi::freshness(const Query&) {
  const Instant now = clock_.now();
  ADUANA_ASSIGN(const FreshnessEstimate estimate, frontier_.freshness());
  ADUANA_ASSIGN(const FrontierStats stats, frontier_.stats());
  const auto age = [&](Millis time) { return estimate.sampled ? fmt::format("{}", seconds_of(time)) : "null"; };
  return JsonLine()
      .number("as_of", seconds_of(now))
      .number("pages", estimate.pages)
      .number("sampled", estimate.sampled)
      .number("known", estimate.known)
      .json("fresh", estimate.fresh ? fmt::format("{}", *estimate.fresh) : "null")
      .json("age", JsonLine().json("median", age(estimate.median_age)).json("p90", age(estimate.p90_age)).object())
      .number("scheduled", stats.count(PageState::scheduled))
      .number("due", estimate.due)
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
                  .text("crawl", failure.crawl)
                  .text("queue", failure.queue)
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
