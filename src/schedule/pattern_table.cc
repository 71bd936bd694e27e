#include <fmt/format.h>
#include <re2/re2.h>

#include <charconv>
#include <cmath>

#include "aduana/recrawl_policies.h"
#include "schedule/change_rate.h"
#include "schedule/visit_time.h"

namespace aduana {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> positive_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

Result<PatternTable::Rule> PatternTable::parse_rule(std::string_view line) {
  const size_t blank = line.find_last_of(kBlanks);
  if (blank == std::string_view::npos) {
    return Error(Code::invalid, fmt::format("\"{}\": expected REGEX SECONDS or REGEX xMULT", line));
  }
  const std::string_view expression = trimmed(line.substr(0, blank));
  std::string_view number = line.substr(blank + 1);
  Rule rule;
  rule.is_multiple = number.starts_with('x');
  if (rule.is_multiple) number.remove_prefix(1);
  const auto value = positive_number(number);
  if (!value) {
    return Error(Code::invalid, fmt::format("\"{}\": expected a number of seconds or xMULT, above 0, after the last "
                                            "blank",
                                            line));
  }
  rule.number = *value;
  RE2::Options options;
  options.set_log_errors(false);
  rule.pattern = std::make_shared<RE2>(re2::StringPiece(expression.data(), expression.size()), options);
  if (!rule.pattern->ok()) {
    return Error(Code::invalid, fmt::format("{}: not a regular expression: {}", expression, rule.pattern->error()));
  }
  return rule;
}

Result<std::shared_ptr<PatternTable>> PatternTable::parse(std::string_view text, const PatternTableOptions& options) {
  if (options.otherwise && *options.otherwise <= Millis{0}) {
    return Error(Code::invalid, fmt::format("recrawl: a period of {} ms for pages that no pattern matches; it must be "
                                            "above 0",
                                            options.otherwise->count()));
  }
  if (!std::isfinite(options.assumed_change_rate) || options.assumed_change_rate <= 0) {
    return Error(Code::invalid, fmt::format("recrawl: an assumed change rate of {} a second; it must be above 0",
                                            options.assumed_change_rate));
  }
  std::shared_ptr<PatternTable> table(new PatternTable(options));
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    auto rule = parse_rule(line);
    if (!rule) return rule.error().within(fmt::format("recrawl patterns, line {}", number));
    table->rules_.push_back(*std::move(rule));
  }
  return table;
}

std::optional<Instant> PatternTable::next_visit(const CrawlHistory& page, Instant now) {
  if (options_.max_n_crawls > 0 && page.n_crawls >= options_.max_n_crawls) return std::nullopt;
  const re2::StringPiece url(page.url.data(), page.url.size());
  for (const Rule& rule : rules_) {
    if (!RE2::PartialMatch(url, *rule.pattern)) continue;
    if (!rule.is_multiple) return visit_time(page, now, rule.number);
    const auto history = changes_of(page);
    const double rate = history ? change_rate(*history) : options_.assumed_change_rate;
    return visit_time(page, now, 1 / (rule.number * rate));
  }
  if (!options_.otherwise) return std::nullopt;
  return visit_time(page, now, std::chrono::duration<double>(*options_.otherwise).count());
}

}  // namespace aduana
