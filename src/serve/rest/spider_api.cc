#include "serve/rest/spider_api.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_line.h"
#include "serve/http/query.h"
#include "serve/rest/batch_answer.h"
#include "serve/rest/crawled_messages.h"
#include "serve/rest/failure_kinds.h"
#include "serve/rest/json_body.h"
#include "serve/rest/report_pieces.h"
#include "serve/rest/responses.h"
#include "serve/rest/values.h"

namespace aduana {

namespace {

constexpr double kLongestLease = 366 * 86400.0;
const std::vector<std::string_view> kRequestParameters = {"n", "lease", "per_host", "crawl", "queue", "format"};
constexpr size_t kMostKept = 1 << 20;   // bytes of a body
constexpr size_t kMostLinks = 200'000;  // of a page: the store does nothing else while it takes them

// What one thread needs to read reports, kept from one to the next.
struct Reading {
  JsonBody body;
  CrawledMessages messages{kMostLinks};
};
// `own` is for a body so large that its buffers are not kept.
Reading& reading(size_t body_bytes, std::optional<Reading>& own) {
  if (body_bytes > kMostKept) return own.emplace();
  thread_local Reading kept;
  kept.messages.clear();
  return kept;
}

std::string full_json(const Request& request) {
  return JsonLine()
      .text("url", request.url)
      .number("score", request.score)
      .number("depth", request.depth)
      .text("metadata", request.metadata)
      .text("crawl", request.crawl)
      .text("queue", request.queue)
      .number("lease_end", seconds_of(request.lease_end))
      .object();
}

std::string pages_json(const std::vector<Request>& requests, bool full) {
  std::string out = "[";
  for (const Request& request : requests) {
    if (out.size() > 1) out += ',';
    if (full) {
      out += full_json(request);
    } else {
      append_json_string(out, request.url);
    }
  }
  return out + "]";
}

// One each of a batch that ends leases.
struct Ended {
  std::string url, crawl, queue, target, reason;
  FailureKind kind = FailureKind::temporary;
  std::optional<Millis> fetch_time;
};

Result<Ended> read_ended(const simdjson::dom::element& element, bool failure) {
  simdjson::dom::object object;
  if (element.get(object)) return invalid("expected an object {\"url\": …}");
  Ended ended;
  bool has_url = false;
  for (const auto [name, value] : object) {
    if (name != "url" && value.is_null()) continue;
    const auto text = [&, field = std::string_view(name), &value = value](std::string& out) -> Status {
      ADUANA_ASSIGN(const std::string_view read, read_text(value, fmt::format("\"{}\"", field)));
      out = read;
      return {};
    };
    if (name == "url") {
      ADUANA_TRY(text(ended.url));
      has_url = true;
    } else if (name == "crawl") {
      ADUANA_TRY(text(ended.crawl));
    } else if (name == "queue") {
      ADUANA_TRY(text(ended.queue));
    } else if (failure && name == "target") {
      ADUANA_TRY(text(ended.target));
    } else if (failure && name == "reason") {
      ADUANA_TRY(text(ended.reason));
    } else if (failure && name == "kind") {
      ADUANA_ASSIGN(const std::string_view kind, read_text(value, "\"kind\""));
      ADUANA_ASSIGN(ended.kind, failure_kind_named(kind));
    } else if (failure && name == "fetch_time") {
      ADUANA_ASSIGN(ended.fetch_time, read_duration(value, "\"fetch_time\""));
    }
  }
  if (!has_url) return invalid("\"url\" is missing");
  if (ended.kind == FailureKind::redirect && ended.target.empty()) {
    return invalid("\"target\" is missing: where the redirect leads");
  }
  return ended;
}

// All that was sent, and what it was read as.
struct EndedBatch {
  BodyShape shape = BodyShape::one;
  BatchAnswer answer;
  std::vector<Ended> ended;
};

Result<EndedBatch> read_batch(const HttpRequest& request, bool failure) {
  EndedBatch batch;
  JsonBody body;
  const auto take = [&](const Result<simdjson::dom::element>& element) {
    auto read = element ? read_ended(*element, failure) : Result<Ended>(element.error());
    if (!read) return batch.answer.unreadable(read.error());
    batch.answer.read();
    batch.ended.push_back(std::move(*read));
  };
  ADUANA_ASSIGN(batch.shape, body.each(request, take));
  return batch;
}

HttpResponse answer_of(const HttpRequest& request, const EndedBatch& batch) {
  if (batch.shape == BodyShape::one) {
    const auto& error = batch.answer[0];
    return error ? error_response(request, *error) : json_response("{\"ok\":true}");
  }
  return json_response(
      JsonLine().number("done", batch.answer.done()).json("results", batch.answer.results_json()).object());
}

}  // namespace

void SpiderApi::add_to(Routes& routes) {
  routes.add(Method::post, "/crawled", For::spiders, [this](const HttpRequest& r) { return crawled(r); });
  routes.add(
      Method::get, "/request", For::spiders, [this](const HttpRequest& r) { return next_pages(r); },
      kRequestParameters);
  routes.add(Method::post, "/failed", For::spiders, [this](const HttpRequest& r) { return failed(r); });
  routes.add(Method::post, "/released", For::spiders, [this](const HttpRequest& r) { return released(r); });
}

HttpResponse SpiderApi::crawled(const HttpRequest& request) {
  std::optional<Reading> own;
  Reading& now = reading(request.body.size(), own);
  CrawledMessages& messages = now.messages;
  BatchAnswer answer;
  const auto shape = now.body.each(request, [&](const Result<simdjson::dom::element>& element) {
    const Status taken = element ? messages.add(*element) : Status(element.error());
    taken ? answer.read() : answer.unreadable(taken.error());
  });
  if (!shape) return error_response(request, shape.error());
  uint64_t new_urls = 0;
  size_t place = 0;
  for (auto rest = messages.pages(); !rest.empty();) {
    const auto piece = first_piece(rest);
    rest = rest.subspan(piece.size());
    const auto reported = frontier_.report(piece);
    if (!reported) return error_response(request, reported.error());
    new_urls += reported->new_urls;
    PageEvents::Adding history(events_);
    for (const PageOutcome& outcome : reported->pages) {
      answer.set(place++, outcome.error);
      if (!outcome.error) history.add(outcome.page, PageEventKind::crawled);
    }
  }
  activity_.count(Act::crawled, answer.done());
  const bool all = answer.done() == answer.size();
  if (*shape == BodyShape::one) {
    if (!all) return error_response(request, *answer[0]);
    HttpResponse created;
    created.status = 201;
    created.content_type.clear();
    return created;
  }
  return json_response(JsonLine()
                           .number("stored", answer.done())
                           .number("new_urls", new_urls)
                           .json("results", answer.results_json())
                           .object(),
                       all ? 201 : 200);
}

HttpResponse SpiderApi::next_pages(const HttpRequest& request) {
  const auto query = Query::parse(request.query, kRequestParameters);
  if (!query) return error_response(request, query.error());
  const auto n = query->number("n", default_requests_, 0, kMostRequests);
  if (!n) return error_response(request, n.error());
  const auto options = options_of(*query);
  if (!options) return error_response(request, options.error());
  const std::string_view format = query->text_or("format", "urls");
  if (format != "urls" && format != "full") {
    return error_response(request, invalid("format must be \"urls\" or \"full\""));
  }
  const auto pages = frontier_.request(*n, *options);
  if (!pages) return error_response(request, pages.error());
  activity_.count(Act::requested, pages->size());
  {
    PageEvents::Adding history(events_);
    for (const Request& page : *pages) history.add(page.page, PageEventKind::requested);
  }
  return json_response(pages_json(*pages, format == "full"));
}

Result<RequestOptions> SpiderApi::options_of(const Query& query) const {
  RequestOptions options;
  ADUANA_ASSIGN(const auto lease, query.seconds("lease", kLongestLease));
  if (lease) options.lease = Millis{std::llround(*lease * 1000)};
  ADUANA_ASSIGN(const uint64_t per_host, query.number("per_host", 0, 1, UINT32_MAX));
  options.per_queue = static_cast<uint32_t>(per_host);
  // A list of URLs doesn't tell of which crawl they are, so that of others is given only to those who ask for it.
  const std::string_view crawl = query.text_or("crawl", "");
  options.crawl = crawl.empty() ? kDefaultCrawl : crawl == "*" ? "" : crawl;
  options.queue = query.text_or("queue", "");
  if (crawl == "*" && !options.queue.empty()) return invalid("a queue is of one crawl: name that instead of *");
  return options;
}

HttpResponse SpiderApi::failed(const HttpRequest& request) {
  auto batch = read_batch(request, true);
  if (!batch) return error_response(request, batch.error());
  std::vector<Failure> failures;
  for (const Ended& e : batch->ended) failures.push_back({e.url, e.kind, e.fetch_time, e.crawl, e.queue, e.target});
  const auto outcomes = frontier_.fail(failures);
  if (!outcomes) return error_response(request, outcomes.error());
  for (size_t i = 0; i < outcomes->size(); ++i) {
    batch->answer.set(i, (*outcomes)[i]);
    if ((*outcomes)[i]) continue;
    const Ended& ended = batch->ended[i];
    activity_.count(Act::failed, 1);
    const PageRef page{ended.url, ended.crawl, ended.queue};
    activity_.add_failure(page, ended.kind, ended.reason);
    note(page, PageEventKind::failed, name_of(ended.kind));
  }
  return answer_of(request, *batch);
}

HttpResponse SpiderApi::released(const HttpRequest& request) {
  auto batch = read_batch(request, false);
  if (!batch) return error_response(request, batch.error());
  std::vector<PageRef> pages;
  for (const Ended& e : batch->ended) pages.push_back({e.url, e.crawl, e.queue});
  const auto outcomes = frontier_.release(pages);
  if (!outcomes) return error_response(request, outcomes.error());
  for (size_t i = 0; i < outcomes->size(); ++i) {
    batch->answer.set(i, (*outcomes)[i]);
    if (!(*outcomes)[i]) note(pages[i], PageEventKind::released);
  }
  return answer_of(request, *batch);
}

void SpiderApi::note(const PageRef& page, PageEventKind kind, const char* detail) {
  if (const auto found = frontier_.page(page)) PageEvents::Adding(events_).add(found->idx, kind, detail);
}

}  // namespace aduana
