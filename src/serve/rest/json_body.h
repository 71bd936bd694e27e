// The body of a POST: one JSON object, a list of them, or one a line (NDJSON).
//
// Which of them it is: lines are told by the content type, or by the first line being a whole object with more behind
// it; a list begins with a bracket. How many there may be is limited, for each gets a result that is larger than
// itself.
#pragma once

#include <simdjson.h>

#include <string_view>

#include "aduana/result.h"
#include "serve/http/message.h"
#include "serve/rest/json_values.h"

namespace aduana {

enum class BodyShape : uint8_t { one, many };

class JsonBody {
 public:
  static constexpr size_t kMost = 100'000;  // in a list, or lines
  static Error too_many();

  // Calls take(Result<element>) for each, in order; an error in one line is that line's alone, an error in a list or in
  // a single object is of the whole body and returned.
  template <class Take>
  Result<BodyShape> each(const HttpRequest& request, Take&& take) {
    std::string_view body = request.body;
    const size_t begin = body.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return invalid("the body is empty: expected JSON");
    if (!is_lines_type(request.content_type)) {
      auto whole = parse_json(parser_, body);
      if (simdjson::dom::array items; whole && !whole->get(items)) {
        if (items.size() > kMost) return too_many();
        for (const auto& item : items) take(Result<simdjson::dom::element>(item));
        return BodyShape::many;
      }
      if (whole) {
        take(Result<simdjson::dom::element>(*whole));
        return BodyShape::one;
      }
      if (body[begin] == '[' || !first_line_is_whole(body.substr(begin))) return whole.error();
    }
    size_t lines = 0;
    for (std::string_view line; next_line(body, line);) {
      if (++lines > kMost) return too_many();
      take(parse_json(parser_, line));
    }
    return BodyShape::many;
  }

 private:
  static bool is_lines_type(std::string_view content_type);
  bool first_line_is_whole(std::string_view body);
  // The next line that is not empty.
  static bool next_line(std::string_view& body, std::string_view& line);

  simdjson::dom::parser parser_;
};

}  // namespace aduana
