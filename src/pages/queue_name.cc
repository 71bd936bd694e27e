#include "pages/queue_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "url/host.h"

namespace aduana {
namespace {

constexpr char kSeparator = '\n';

bool has_control_byte(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

}  // namespace

Status test_queue_key(std::string_view crawl, std::string_view key) {
  if (crawl == "*") return Error(Code::invalid, "no crawl can be named *, which stands for all of them");
  for (const auto& [what, text] : {std::pair{"crawl", crawl}, std::pair{"queue key", key}}) {
    if (text.size() > kMaxQueueKey) {
      return Error(Code::invalid,
                   fmt::format("a {} of {} bytes; at most {} are possible", what, text.size(), kMaxQueueKey));
    }
    if (has_control_byte(text)) return Error(Code::invalid, fmt::format("the {} holds a control byte", what));
  }
  return {};
}

std::string queue_name(std::string_view crawl, std::string_view key, std::string_view host, QueueBy by) {
  std::string_view name = key;
  if (name.empty() && by == QueueBy::domain) {
    const std::string_view domain = registrable_domain(host);
    if (!domain.empty()) name = domain;
  }
  const bool is_default = crawl.empty() || crawl == kDefaultCrawl;
  if (is_default) return name == host ? std::string() : std::string(name);
  std::string scoped(crawl);
  scoped += kSeparator;
  return scoped += name.empty() ? host : name;
}

std::string_view crawl_of(std::string_view queue_name) {
  const size_t end = queue_name.find(kSeparator);
  return end == std::string_view::npos ? kDefaultCrawl : queue_name.substr(0, end);
}

std::string_view key_of(std::string_view queue_name) {
  const size_t end = queue_name.find(kSeparator);
  return end == std::string_view::npos ? queue_name : queue_name.substr(end + 1);
}

}  // namespace aduana
