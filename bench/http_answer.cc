#include "http_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace aduana::bench {
namespace {

constexpr std::string_view kLength = "content-length:";

Error broken(const char* what) { return Error(Code::corrupt, fmt::format("the server's answer {}", what)); }

bool begins_with_length(std::string_view line) {
  if (line.size() < kLength.size()) return false;
  return std::equal(kLength.begin(), kLength.end(), line.begin(),
                    [](char small, char c) { return small == (c >= 'A' && c <= 'Z' ? c + 32 : c); });
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<std::optional<HttpAnswer>> AnswerReader::add(std::string_view bytes) {
  if (whole_) {
    bytes_.clear();
    head_size_ = 0;
    whole_ = false;
  }
  // The empty line may have begun in what was there before.
  const size_t seen = bytes_.size() < 3 ? 0 : bytes_.size() - 3;
  bytes_ += bytes;
  if (head_size_ == 0) {
    const size_t end = bytes_.find("\r\n\r\n", seen);
    if (end == std::string::npos) return std::optional<HttpAnswer>();
    ADUANA_TRY(read_head(end));
  }
  const size_t all = head_size_ + body_size_;
  if (bytes_.size() < all) return std::optional<HttpAnswer>();
  if (bytes_.size() > all) return broken("has bytes behind it that nobody asked for");
  whole_ = true;
  return std::optional<HttpAnswer>({status_, std::string_view(bytes_).substr(head_size_)});
}

Status AnswerReader::read_head(size_t end) {
  std::string_view head = std::string_view(bytes_).substr(0, end);
  if (!head.starts_with("HTTP/1.1 ") || head.size() < 12 || !read_number(head.substr(9, 3), status_)) {
    return broken("is not one of HTTP/1.1");
  }
  bool has_length = false;
  for (size_t line_end = head.find("\r\n"); line_end != std::string_view::npos; line_end = head.find("\r\n")) {
    head.remove_prefix(line_end + 2);
    if (!begins_with_length(head)) continue;
    std::string_view value = head.substr(kLength.size(), head.find("\r\n") - kLength.size());
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    if (!read_number(value, body_size_)) return broken("has a wrong Content-Length");
    has_length = true;
  }
  if (!has_length) return broken("has no Content-Length");
  head_size_ = end + 4;
  return {};
}

}  // namespace aduana::bench
