#include "serve/rest/crawled_messages.h"

#include <fmt/format.h>

#include <cfloat>
#include <cmath>

#include "serve/rest/json_values.h"

namespace aduana {
namespace {

using simdjson::dom::element;

constexpr size_t kLargeMessage = 64 << 20;  // a parser that grew over this is not kept

// `field` makes the name for an error; there are too many scores to make one for each.
template <class Field>
Result<float> read_score(const element& value, const Field& field) {
  if (value.is_null()) return 0.0f;
  double score;
  if (value.get(score)) return wrong_type(field(), "a number", value);
  // Also keeps out what rounds to infinity as a float.
  if (!(std::abs(score) <= FLT_MAX)) return invalid(fmt::format("{} is {}, which is too large", field(), score));
  return static_cast<float>(score);
}

}  // namespace

Status CrawledMessages::add(std::string_view json) {
  const auto message = parse_json(parser_, json);
  const Status taken = message ? add(*message) : Status(message.error());
  if (taken) bytes_ += json.size();
  if (parser_.capacity() > kLargeMessage) parser_ = simdjson::dom::parser();
  return taken;
}

Status CrawledMessages::add(const element& message) {
  simdjson::dom::object object;
  if (message.get(object)) return invalid("expected an object {\"url\": …}");
  const size_t links = links_.size();
  const size_t pages = pages_.size();
  Status taken = read(object);
  if (!taken) {
    links_.resize(links);
    pages_.resize(pages);
  }
  return taken;
}

Status CrawledMessages::read(const simdjson::dom::object& object) {
  ReportedPage page;
  page.may_be_repeated = true;
  const size_t first_link = links_.size();
  bool has_url = false;
  for (const auto [name, value] : object) {
    if (name == "url") {
      ADUANA_ASSIGN(const std::string_view url, read_text(value, "\"url\""));
      page.url = text_.keep(url);
      has_url = true;
    } else if (value.is_null()) {
      continue;
    } else if (name == "score") {
      ADUANA_ASSIGN(page.score, read_score(value, [] { return std::string("\"score\""); }));
    } else if (name == "links") {
      links_.resize(first_link);
      ADUANA_TRY(read_links(value));
    } else if (name == "fetch_time") {
      ADUANA_ASSIGN(page.fetch_time, read_duration(value, "\"fetch_time\""));
    } else if (name == "crawl") {
      ADUANA_ASSIGN(const std::string_view crawl, read_text(value, "\"crawl\""));
      page.crawl = text_.keep(crawl);
    } else if (name == "queue") {
      ADUANA_ASSIGN(const std::string_view queue, read_text(value, "\"queue\""));
      page.queue = text_.keep(queue);
    } else if (name == "time") {
      ADUANA_ASSIGN(page.time, read_time(value, "\"time\""));
    } else if (name == "content_hash") {
      ADUANA_ASSIGN(const std::string_view hash, read_text(value, "\"content_hash\""));
      page.content_hash = text_.keep(hash);
    } else if (name == "metadata") {
      ADUANA_ASSIGN(const std::string_view metadata, read_text(value, "\"metadata\""));
      page.metadata = text_.keep(metadata);
    }
  }
  if (!has_url) return invalid("\"url\" is missing");
  pages_.push_back(page);
  links_of_.resize(pages_.size());
  links_of_.back() = {first_link, links_.size()};
  return {};
}

Status CrawledMessages::read_links(const element& value) {
  simdjson::dom::array list;
  if (value.get(list)) return wrong_type("\"links\"", "a list", value);
  if (list.size() > most_links_) {
    return Error(Code::too_large, fmt::format("a page may have {} links at most", most_links_));
  }
  size_t place = 0;
  for (const element& item : list) {
    ADUANA_ASSIGN(const ReportedLink link, read_link(item, place++));
    links_.push_back(link);
  }
  return {};
}

Result<ReportedLink> CrawledMessages::read_link(const element& value, size_t place) {
  ReportedLink link;
  std::string_view url;
  const auto name = [&](const char* part) { return fmt::format("{} of \"links\"[{}]", part, place); };
  if (!value.get(url)) {
    link.url = text_.keep(url);
    return link;
  }
  element url_value, score_value;
  bool has_score = false;
  if (simdjson::dom::array pair; !value.get(pair)) {
    if (pair.size() != 2) {
      return invalid(fmt::format("\"links\"[{}] must be a pair [url, score], not a list of {}", place, pair.size()));
    }
    url_value = pair.at(0).value_unsafe();
    score_value = pair.at(1).value_unsafe();
    has_score = true;
  } else if (simdjson::dom::object object; !value.get(object)) {
    if (object["url"].get(url_value)) return invalid(fmt::format("\"links\"[{}] has no \"url\"", place));
    has_score = !object["score"].get(score_value);
  } else {
    return wrong_type(fmt::format("\"links\"[{}]", place), "a pair [url, score]", value);
  }
  if (url_value.get(url)) return wrong_type(name("the URL"), "a string", url_value);
  if (has_score) {
    ADUANA_ASSIGN(link.score, read_score(score_value, [&] { return name("the score"); }));
  }
  link.url = text_.keep(url);
  return link;
}

std::span<const ReportedPage> CrawledMessages::pages() {
  for (size_t i = 0; i < pages_.size(); ++i) {
    pages_[i].links = std::span(links_).subspan(links_of_[i].begin, links_of_[i].end - links_of_[i].begin);
  }
  return pages_;
}

void CrawledMessages::clear() {
  text_.clear();
  pages_.clear();
  links_.clear();
  links_of_.clear();
  bytes_ = 0;
}

}  // namespace aduana
