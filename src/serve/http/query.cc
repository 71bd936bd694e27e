#include "serve/http/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace aduana {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Error invalid(std::string message) { return Error(Code::invalid, std::move(message)); }

// What a client sent, as it may be told back.
std::string quoted(std::string_view text) {
  constexpr size_t kMost = 60;
  std::string out;
  for (const char c : text.substr(0, kMost)) out += c >= ' ' && c < 127 ? c : '?';
  if (text.size() > kMost) out += "…";
  return '"' + out + '"';
}

}  // namespace

Result<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] == '%') {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = high < 0 ? -1 : hex_digit(text[i + 2]);
      if (low < 0) return invalid("a % in the query has no two hexadecimal digits behind it");
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

Result<Query> Query::parse(std::string_view encoded, std::span<const std::string_view> known) {
  Query query;
  while (!encoded.empty()) {
    const size_t end = std::min(encoded.find('&'), encoded.size());
    const std::string_view one = encoded.substr(0, end);
    encoded.remove_prefix(std::min(end + 1, encoded.size()));
    if (one.empty()) continue;
    const size_t equals = std::min(one.find('='), one.size());
    ADUANA_ASSIGN(std::string name, percent_decoded(one.substr(0, equals)));
    ADUANA_ASSIGN(std::string value, percent_decoded(one.substr(std::min(equals + 1, one.size()))));
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return invalid(fmt::format("there is no parameter {} here", quoted(name)));
    }
    if (query.text(name)) return invalid(fmt::format("the parameter {} is given twice", name));
    query.parameters_.emplace_back(std::move(name), std::move(value));
  }
  return query;
}

const std::string* Query::text(std::string_view name) const {
  for (const auto& [given, value] : parameters_) {
    if (given == name) return &value;
  }
  return nullptr;
}

std::string_view Query::text_or(std::string_view name, std::string_view otherwise) const {
  const std::string* value = text(name);
  return value ? std::string_view(*value) : otherwise;
}

Result<std::string> Query::required(std::string_view name, std::string_view example) const {
  const std::string* found = text(name);
  if (found && !found->empty()) return *found;
  return Error(Code::invalid, fmt::format("the parameter {0} is missing: ?{0}={1}", name, example));
}

Result<uint64_t> Query::number(std::string_view name, uint64_t otherwise, uint64_t least, uint64_t most) const {
  const std::string* value = text(name);
  if (!value) return otherwise;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error != std::errc() || end != value->data() + value->size() || number < least || number > most) {
    return invalid(fmt::format("{} must be a whole number from {} to {}, not {}", name, least, most, quoted(*value)));
  }
  return number;
}

Result<std::optional<double>> Query::seconds(std::string_view name, double most) const {
  const std::string* value = text(name);
  if (!value) return std::optional<double>();
  double seconds = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), seconds);
  if (error != std::errc() || end != value->data() + value->size() || !(seconds >= 0 && seconds <= most)) {
    return invalid(fmt::format("{} must be seconds from 0 to {}, not {}", name, most, quoted(*value)));
  }
  return std::optional<double>(seconds);
}

}  // namespace aduana
