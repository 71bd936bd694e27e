#include "serve/rest/admin_api.h"

#include <algorithm>
#include <cmath>

#include "base/json_line.h"
#include "serve/http/query.h"
#include "serve/rest/batch_answer.h"
#include "serve/rest/host_json.h"
#include "serve/rest/json_body.h"
#include "serve/rest/responses.h"
#include "serve/rest/seed_list.h"
#include "serve/rest/values.h"

namespace aduana {

namespace {

const std::vector<std::string_view> kHostParameters = {"key", "crawl"};

}  // namespace

void AdminApi::add_to(Routes& routes) {
  routes.add(Method::post, "/seeds", For::admins, [this](const HttpRequest& r) { return seeds(r); });
  routes.add(
      Method::post, "/host", For::admins, [this](const HttpRequest& r) { return response_of(r, control_host(r)); },
      kHostParameters);
  routes.add(Method::post, "/pause", For::admins, [this](const HttpRequest& r) { return pause(r, true); });
  routes.add(Method::post, "/resume", For::admins, [this](const HttpRequest& r) { return pause(r, false); });
  routes.add(
      Method::post, "/checkpoint", For::admins, [this](const HttpRequest& r) { return checkpoint(r); },
      Parameters::value_type(), Pace::slow);
}

HttpResponse AdminApi::seeds(const HttpRequest& request) {
  SeedList list;
  BatchAnswer answer;
  BodyShape shape = BodyShape::many;
  if (request.content_type.starts_with("text/")) {
    const auto lines = static_cast<size_t>(std::count(request.body.begin(), request.body.end(), '\n'));
    if (lines > JsonBody::kMost) return error_response(request, JsonBody::too_many());
    list.add_lines(request.body);
    for (size_t i = 0; i < list.size(); ++i) answer.read();
  } else {
    JsonBody body;
    const auto read = body.each(request, [&](const Result<simdjson::dom::element>& element) {
      const Status taken = element ? list.add(*element) : Status(element.error());
      taken ? answer.read() : answer.unreadable(taken.error());
    });
    if (!read) return error_response(request, read.error());
    shape = *read;
  }
  const auto found = frontier_.discover(list.discoveries());
  if (!found) return error_response(request, found.error());
  for (size_t i = 0; i < found->errors.size(); ++i) answer.set(i, found->errors[i]);
  if (shape == BodyShape::one && answer[0]) return error_response(request, *answer[0]);
  return json_response(JsonLine().number("new_urls", found->new_urls).json("results", answer.results_json()).object());
}

Result<std::string> AdminApi::control_host(const HttpRequest& request) {
  ADUANA_ASSIGN(const Query query, Query::parse(request.query, kHostParameters));
  ADUANA_ASSIGN(const std::string key, query.required("key", kExampleKey));
  QueueControl control;
  control.crawl = query.text_or("crawl", "");
  control.key = key;
  ADUANA_ASSIGN(const QueueStatus before, frontier_.queue(control.key, control.crawl));  // there must be such a host

  simdjson::dom::parser parser;
  ADUANA_ASSIGN(const simdjson::dom::element body, parse_json(parser, request.body));
  simdjson::dom::object object;
  if (body.get(object)) return wrong_type("the body", "an object", body);
  bool resume = false;
  for (const auto [name, value] : object) {
    if (name == "block_for") {
      ADUANA_ASSIGN(const Millis time, read_duration(value, "\"block_for\""));
      control.block_until = clock_.now() + time;
    } else if (name == "delay") {
      control.delay.emplace();
      if (!value.is_null()) {
        ADUANA_ASSIGN(*control.delay, read_duration(value, "\"delay\""));
      }
    } else if (name == "limit") {
      ADUANA_ASSIGN(const double limit, read_number(value, "\"limit\""));
      if (!(limit >= 0 && limit <= UINT32_MAX) || limit != std::floor(limit)) {
        return invalid("\"limit\" must be a whole number of pages; 0 for none");
      }
      control.limit = static_cast<uint32_t>(limit);
    } else if (name == "resume") {
      if (value.get(resume) || !resume) return invalid("\"resume\" can only be true");
    } else {
      return invalid("the fields of a host's control are block_for, delay, limit and resume");
    }
  }
  if (resume) {
    if (control.block_until || control.delay) return invalid("\"resume\" takes back what block_for and delay give");
    control.block_until = Instant{};
    control.delay.emplace();
  }
  ADUANA_TRY(frontier_.control(control));
  ADUANA_ASSIGN(const QueueStatus after, frontier_.queue(control.key, control.crawl));
  return host_json(after, clock_.now());
}

HttpResponse AdminApi::pause(const HttpRequest& request, bool paused) {
  const Status done = frontier_.pause(paused);
  if (!done) return error_response(request, done.error());
  return json_response(JsonLine().json("paused", paused ? "true" : "false").object());
}

HttpResponse AdminApi::checkpoint(const HttpRequest& request) {
  const Status done = frontier_.checkpoint();
  if (!done) return error_response(request, done.error());
  return json_response("{\"ok\":true}");
}

}  // namespace aduana
