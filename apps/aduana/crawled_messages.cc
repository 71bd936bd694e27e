#include "crawled_messages.h"

#include <fmt/format.h>

#include <cfloat>
#include <cmath>

#include "base/json.h"

namespace aduana {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr size_t kLargeMessage = 64 << 20;      // a parser that grew over this is not kept
constexpr double kMaxSeconds = 253402300799.0;  // the end of the year 9999

const char* name_of(element_type type) {
  switch (type) {
    case element_type::ARRAY:
      return "a list";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "true or false";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

const char* reason_of(simdjson::error_code error) {
  switch (error) {
    case simdjson::UTF8_ERROR:
      return "invalid UTF-8";
    case simdjson::UNESCAPED_CHARS:
      return "not JSON: a control byte that is not escaped in a string";
    case simdjson::UNCLOSED_STRING:
      return "not JSON: a string has no end";
    case simdjson::STRING_ERROR:
      return "not JSON: a wrong escape in a string";
    case simdjson::NUMBER_ERROR:
      return "not JSON: a number is badly written, or out of range";
    case simdjson::DEPTH_ERROR:
      return "not JSON that is expected here: nested too deep";
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY:
      return "not enough memory to read a line of this length";
    case simdjson::INCORRECT_TYPE:
      return "expected an object {\"url\": …}";
    default:
      return "not JSON: expected an object {\"url\": …} and nothing behind it";
  }
}

Error invalid(std::string message) { return Error(Code::invalid, std::move(message)); }

Error wrong_type(std::string_view field, std::string_view expected, const element& found) {
  return invalid(fmt::format("{} must be {}, not {}", field, expected, name_of(found.type())));
}

Result<std::string_view> read_text(const element& value, std::string_view field) {
  std::string_view text;
  if (value.get(text)) return wrong_type(field, "a string", value);
  return text;
}

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

Result<Instant> read_time(const element& value) {
  double seconds;
  if (value.get(seconds)) return wrong_type("\"time\"", "a number of seconds since the epoch", value);
  if (!(seconds >= 0 && seconds <= kMaxSeconds)) {
    return invalid(fmt::format("\"time\" is {}, which is not between the years 1970 and 9999", seconds));
  }
  return Instant{Millis{std::llround(seconds * 1000)}};
}

}  // namespace

Result<simdjson::dom::object> CrawledMessages::parse(std::string_view json) {
  simdjson::dom::object object;
  auto error = parser_.parse(json.data(), json.size(), false).get(object);
  if (error == simdjson::STRING_ERROR) {
    // JavaScript writes halves of surrogate pairs that simdjson does not take.
    std::string repaired(json);
    replace_lone_surrogates(repaired);
    error = parser_.parse(repaired).get(object);
  }
  if (error) return invalid(reason_of(error));
  return object;
}

Status CrawledMessages::add(std::string_view json) {
  const size_t links = links_.size();
  const size_t pages = pages_.size();
  const auto object = parse(json);
  Status taken = object ? read(*object) : Status(object.error());
  if (taken) {
    bytes_ += json.size();
  } else {
    links_.resize(links);
    pages_.resize(pages);
  }
  if (parser_.capacity() > kLargeMessage) parser_ = simdjson::dom::parser();
  return taken;
}

Status CrawledMessages::read(const simdjson::dom::object& object) {
  ReportedPage page;
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
    } else if (name == "time") {
      ADUANA_ASSIGN(page.time, read_time(value));
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
