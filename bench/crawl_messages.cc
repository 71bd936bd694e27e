#include "crawl_messages.h"

#include <fmt/format.h>

#include <iterator>

#include "base/json.h"

namespace aduana::bench {

std::string get_message(std::string_view target) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", target);
}

std::string post_message(std::string_view target, std::string_view content_type, std::string_view body) {
  return fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", target,
                     content_type, body.size(), body);
}

void append_crawled(std::string& out, std::string_view url, const BenchPage& page) {
  out += R"({"url": )";
  append_json_string(out, url);
  fmt::format_to(std::back_inserter(out), R"(, "score": {:.3f}, "links": [)", page.score);
  bool first = true;
  for (const BenchLink& link : page.links) {
    out += first ? "[" : ", [";
    first = false;
    append_json_string(out, link.url);
    fmt::format_to(std::back_inserter(out), ", {:.3f}]", link.score);
  }
  out += "]}";
}

std::vector<std::string_view> urls_in(std::string_view answer) {
  std::vector<std::string_view> urls;
  for (size_t begin = answer.find('"'); begin != std::string_view::npos; begin = answer.find('"')) {
    answer.remove_prefix(begin + 1);
    const size_t end = answer.find('"');
    if (end == std::string_view::npos) break;
    urls.push_back(answer.substr(0, end));
    answer.remove_prefix(end + 1);
  }
  return urls;
}

}  // namespace aduana::bench
