#include "serve/rest/seed_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "serve/rest/json_values.h"

namespace aduana {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// A # within a URL begins its fragment, so only one behind a space is a comment.
std::string_view without_comment(std::string_view line) {
  for (size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

}  // namespace

void SeedList::add_lines(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view url = trimmed(without_comment(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (url.empty()) continue;
    Seed seed;
    seed.url = url;
    seed.line = line;
    seeds_.push_back(std::move(seed));
  }
}

Status SeedList::add(const simdjson::dom::element& element) {
  Seed seed;
  std::string_view url;
  simdjson::dom::object object;
  if (!element.get(url)) {
    seed.url = url;
  } else if (!element.get(object)) {
    for (const auto [name, value] : object) {
      if (value.is_null()) continue;
      if (name == "url") {
        ADUANA_ASSIGN(const std::string_view text, read_text(value, "\"url\""));
        seed.url = text;
      } else if (name == "crawl") {
        ADUANA_ASSIGN(const std::string_view text, read_text(value, "\"crawl\""));
        seed.crawl = text;
      } else if (name == "queue") {
        ADUANA_ASSIGN(const std::string_view text, read_text(value, "\"queue\""));
        seed.queue = text;
      } else if (name == "metadata") {
        ADUANA_ASSIGN(const std::string_view text, read_text(value, "\"metadata\""));
        seed.metadata = text;
      } else if (name == "score") {
        ADUANA_ASSIGN(const double score, read_number(value, "\"score\""));
        if (!(std::abs(score) <= FLT_MAX)) return invalid("\"score\" is too large");
        seed.score = static_cast<float>(score);
      } else if (name == "priority") {
        ADUANA_ASSIGN(const double priority, read_number(value, "\"priority\""));
        if (!(priority >= 0 && priority <= kMaxPriority) || priority != std::floor(priority)) {
          return invalid(fmt::format("\"priority\" must be a whole number from 0 to {}", kMaxPriority));
        }
        seed.priority = static_cast<uint8_t>(priority);
      }
    }
  } else {
    return wrong_type("a seed", "a URL or an object {\"url\": …}", element);
  }
  if (seed.url.empty()) return invalid("\"url\" is missing");
  seeds_.push_back(std::move(seed));
  return {};
}

std::vector<Discovery> SeedList::discoveries() const {
  std::vector<Discovery> all;
  all.reserve(seeds_.size());
  for (const Seed& seed : seeds_) {
    all.push_back({.url = seed.url,
                   .score = seed.score,
                   .metadata = seed.metadata,
                   .priority = seed.priority,
                   .crawl = seed.crawl,
                   .queue = seed.queue});
  }
  return all;
}

}  // namespace aduana
