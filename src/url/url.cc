#include "url/url.h"

#include "url/parser.h"
#include "url/url_error.h"

namespace aduana {
namespace {

// Offsets are 32 bits, and a byte of input becomes at most 9 of output (a broken one: %EF%BF%BD).
constexpr size_t kMaxInputBytes = size_t{1} << 28;

std::string_view without_lone_mark(std::string_view part) { return part.size() == 1 ? part.substr(1) : part; }

}  // namespace

Result<Url> Url::parse(std::string_view input, const Url* base) {
  if (input.size() > kMaxInputBytes || (base && base->href().size() > kMaxInputBytes)) {
    return url_error(Code::too_large, input,
                     std::to_string(input.size()) + " bytes, over the limit of " + std::to_string(kMaxInputBytes));
  }
  Url url;
  if (const char* reason = UrlParser(url, base).parse(input)) return url_error(Code::invalid, input, reason);
  return url;
}

std::string_view Url::password() const {
  // Between the username and the host: ":" password "@", or "@" alone, or nothing.
  return host_ - username_end_ < 2 ? std::string_view() : view(username_end_ + 1, host_ - 1);
}

std::string_view Url::port() const {
  return host_end_ == path_prefix() ? std::string_view() : view(host_end_ + 1, path_prefix());
}

std::string_view Url::search() const {
  return query_ == kNone ? std::string_view()
                         : without_lone_mark(view(query_, fragment_ == kNone ? size() : fragment_));
}

std::string_view Url::hash() const {
  return fragment_ == kNone ? std::string_view() : without_lone_mark(view(fragment_, size()));
}

std::string Url::origin() const {
  if (scheme() == "blob") {
    const auto inner = parse(pathname());
    if (inner && (inner->scheme() == "http" || inner->scheme() == "https")) return inner->origin();
    return "null";
  }
  if (!special_ || scheme() == "file") return "null";
  return std::string(scheme()) + "://" + std::string(host());
}

}  // namespace aduana
