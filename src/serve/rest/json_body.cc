#include "serve/rest/json_body.h"

#include <fmt/format.h>

#include <algorithm>

namespace aduana {

Error JsonBody::too_many() {
  return Error(Code::too_large, fmt::format("these are more than {}; send them in several requests", kMost));
}

bool JsonBody::is_lines_type(std::string_view content_type) {
  return content_type.find("ndjson") != std::string_view::npos ||
         content_type.find("jsonlines") != std::string_view::npos;
}

bool JsonBody::first_line_is_whole(std::string_view body) {
  std::string_view line;
  return next_line(body, line) && !body.empty() && parse_json(parser_, line);
}

bool JsonBody::next_line(std::string_view& body, std::string_view& line) {
  while (!body.empty()) {
    const size_t end = std::min(body.find('\n'), body.size());
    line = body.substr(0, end);
    body.remove_prefix(std::min(end + 1, body.size()));
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace aduana
