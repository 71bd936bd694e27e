#include "url/url_error.h"

#include "base/json.h"

namespace aduana {

Error url_error(Code code, std::string_view url, std::string_view reason) {
  constexpr size_t kShown = 120;
  std::string message = "URL ";
  if (url.size() > kShown) {
    size_t cut = kShown;
    while (cut > 0 && (url[cut] & 0xC0) == 0x80) --cut;  // not within a character
    append_json_string(message, std::string(url.substr(0, cut)) + "…");
  } else {
    append_json_string(message, url);
  }
  message += ": ";
  message += reason;
  return Error(code, std::move(message));
}

}  // namespace aduana
