#include "url/parser.h"

#include <algorithm>

#include "url/host_parser.h"
#include "url/percent.h"

namespace aduana {
namespace {

constexpr auto npos = std::string_view::npos;

constexpr unsigned kNoPort = 65536;  // 0 is a port

unsigned default_port(std::string_view scheme) {
  if (scheme == "http" || scheme == "ws") return 80;
  if (scheme == "https" || scheme == "wss") return 443;
  return scheme == "ftp" ? 21 : kNoPort;
}

bool is_special_scheme(std::string_view scheme) { return default_port(scheme) != kNoPort || scheme == "file"; }

// "C:" or "C|" and nothing more.
bool is_drive_letter(std::string_view text) {
  return text.size() == 2 && is_alpha(static_cast<uint8_t>(text[0])) && (text[1] == ':' || text[1] == '|');
}

bool is_normalized_drive_letter(std::string_view text) { return is_drive_letter(text) && text[1] == ':'; }

bool starts_with_drive_letter(std::string_view text) {
  return is_drive_letter(text.substr(0, 2)) && (text.size() == 2 || std::string_view("/\\?#").find(text[2]) != npos);
}

// How many dots a path segment consists of, written as "." or "%2e"; 0 for any other segment, 3 for more than two.
int count_dots(std::string_view segment) {
  int dots = 0;
  while (!segment.empty() && dots < 3) {
    if (segment[0] == '.') {
      segment.remove_prefix(1);
    } else if (segment.size() >= 3 && segment[0] == '%' && segment[1] == '2' && (segment[2] | 0x20) == 'e') {
      segment.remove_prefix(3);
    } else {
      return 0;
    }
    ++dots;
  }
  return dots;
}

}  // namespace

const char* UrlParser::parse(std::string_view input) {
  input = trim_controls(input);
  std::string cleaned;
  if (find_class(input, kTabOrNewline) < input.size()) {
    std::copy_if(input.begin(), input.end(), std::back_inserter(cleaned),
                 [](char c) { return !has_class(c, kTabOrNewline); });
    input = cleaned;
  }
  out_.reserve(input.size() + (base_ ? base_->href().size() : 0) + 8);
  if (take_scheme(input)) return parse_with_scheme(input.substr(input.find(':') + 1));
  return parse_without_scheme(input);
}

bool UrlParser::take_scheme(std::string_view input) {
  if (input.empty() || !is_alpha(static_cast<uint8_t>(input[0]))) return false;
  size_t end = 1;
  while (end < input.size() && has_class(input[end], kSchemeByte)) ++end;
  if (end == input.size() || input[end] != ':') return false;
  out_.resize(end);
  std::transform(input.begin(), input.begin() + static_cast<ptrdiff_t>(end), out_.begin(), to_lower);
  set_scheme({});
  return true;
}

// `scheme` is appended to what stands in the text already.
void UrlParser::set_scheme(std::string_view scheme) {
  out_ += scheme;
  url_.scheme_end_ = url_.size();
  url_.special_ = is_special_scheme(out_);
  file_ = out_ == "file";
  out_ += ':';
}

const char* UrlParser::parse_with_scheme(std::string_view rest) {
  if (file_) {
    if (base_ && base_->scheme() != "file") base_ = nullptr;
    return parse_file(rest);
  }
  if (url_.special_) {
    if (base_ && base_->scheme() == url_.scheme() && !rest.starts_with("//")) return parse_relative(rest);
    while (!rest.empty() && is_slash(rest[0])) rest.remove_prefix(1);
    return parse_authority(rest);
  }
  if (rest.starts_with("//")) return parse_authority(rest.substr(2));
  end_authority();
  return rest.starts_with('/') ? parse_path(rest.substr(1)) : parse_opaque_path(rest);
}

const char* UrlParser::parse_without_scheme(std::string_view rest) {
  if (!base_) return "it is relative, and there is no base to resolve it against";
  set_scheme(base_->scheme());
  if (base_->has_opaque_path()) {
    if (!rest.starts_with('#'))
      return "it is relative, and the base has an opaque path, which nothing resolves against";
    end_authority();
    url_.opaque_path_ = true;
    copy_path();
    copy_query();
    return parse_query_and_fragment(rest);
  }
  return file_ ? parse_file(rest) : parse_relative(rest);
}

const char* UrlParser::parse_relative(std::string_view rest) {
  if (!rest.empty() && is_slash(rest[0])) {
    rest.remove_prefix(1);
    if (!rest.empty() && is_slash(rest[0])) {
      rest.remove_prefix(1);
      while (url_.special_ && !rest.empty() && is_slash(rest[0])) rest.remove_prefix(1);
      return parse_authority(rest);
    }
    copy_authority();
    return parse_path(rest);
  }
  copy_authority();
  copy_path();
  if (rest.empty() || rest[0] == '#') copy_query();
  if (rest.empty() || rest[0] == '#' || rest[0] == '?') return parse_query_and_fragment(rest);
  shorten_path();
  return parse_path(rest);
}

const char* UrlParser::parse_file(std::string_view rest) {
  if (!rest.empty() && is_slash(rest[0])) return parse_file_slash(rest.substr(1));
  if (!base_) {
    begin_authority();
    end_authority();
    return parse_path(rest);
  }
  copy_authority();
  if (rest.empty() || rest[0] == '#' || rest[0] == '?') {
    copy_path();
    if (!rest.starts_with('?')) copy_query();
    return parse_query_and_fragment(rest);
  }
  if (!starts_with_drive_letter(rest)) {
    copy_path();
    shorten_path();
  }
  return parse_path(rest);
}

const char* UrlParser::parse_file_slash(std::string_view rest) {
  if (!rest.empty() && is_slash(rest[0])) return parse_file_host(rest.substr(1));
  if (!base_) {
    begin_authority();
    end_authority();
    return parse_path(rest);
  }
  copy_authority();
  // A reference to a path stays on the base's drive.
  const std::string_view base_path = base_->pathname().substr(0, base_->pathname().find('/', 1));
  if (!starts_with_drive_letter(rest) && !base_path.empty() && is_normalized_drive_letter(base_path.substr(1))) {
    out_ += base_path;
  }
  return parse_path(rest);
}

const char* UrlParser::parse_file_host(std::string_view rest) {
  begin_authority();
  const std::string_view host = rest.substr(0, find_class(rest, kEndsAuthority | kBackslash));
  if (is_drive_letter(host)) {
    end_authority();
    return parse_path(rest);
  }
  if (!host.empty()) {
    if (const char* reason = append_host(out_, host, true)) return reason;
    if (std::string_view(out_).substr(url_.host_) == "localhost") out_.resize(url_.host_);
  }
  end_authority();
  return parse_after_host(rest.substr(host.size()));
}

const char* UrlParser::parse_authority(std::string_view rest) {
  begin_authority();
  std::string_view authority = rest.substr(0, find_class(rest, kEndsAuthority | (url_.special_ ? kBackslash : 0)));
  rest.remove_prefix(authority.size());
  const size_t at_sign = authority.rfind('@');
  if (at_sign != npos) {
    append_credentials(authority.substr(0, at_sign));
    authority.remove_prefix(at_sign + 1);
    if (authority.empty()) return "there are credentials but no host";
  }
  // The colon that begins the port is the first outside brackets, which do not nest.
  const size_t bracket = authority.find('[');
  size_t colon = authority.find(':');
  if (bracket < colon) {
    const size_t closing = authority.find(']', bracket);
    colon = closing == npos ? npos : authority.find(':', closing);
  }
  const std::string_view host = authority.substr(0, colon);
  if (host.empty() && (url_.special_ || colon != npos)) return "the host is empty";
  if (const char* reason = append_host(out_, host, url_.special_)) return reason;
  url_.host_end_ = url_.size();
  if (colon != npos) {
    if (const char* reason = append_port(authority.substr(colon + 1))) return reason;
  }
  url_.authority_ = true;
  url_.path_ = url_.size();
  return parse_after_host(rest);
}

void UrlParser::append_credentials(std::string_view credentials) {
  const size_t colon = credentials.find(':');
  append_encoded(out_, credentials.substr(0, colon), kEncodeUserinfo);
  url_.username_end_ = url_.size();
  if (colon != npos && colon + 1 < credentials.size()) {
    out_ += ':';
    append_encoded(out_, credentials.substr(colon + 1), kEncodeUserinfo);
  }
  if (url_.size() != url_.username_) out_ += '@';
  url_.host_ = url_.size();
}

const char* UrlParser::append_port(std::string_view digits) {
  unsigned port = 0;
  for (char c : digits) {
    if (!is_digit(static_cast<uint8_t>(c))) return "the port is not a number";
    port = port * 10 + hex_value(c);
    if (port > 65535) return "the port is over 65535";
  }
  if (digits.empty() || port == default_port(url_.scheme())) return nullptr;
  out_ += ':';
  out_ += std::to_string(port);
  return nullptr;
}

// Before a special URL's path a slash is understood; another's path may be empty.
const char* UrlParser::parse_after_host(std::string_view rest) {
  if (!rest.empty() && is_slash(rest[0])) return parse_path(rest.substr(1));
  if (url_.special_) return parse_path(rest);
  return parse_query_and_fragment(rest);
}

// `rest` begins after the slash that opens the path, or where such a slash is understood; the path written so far (of a
// base, or a drive letter) is continued.
const char* UrlParser::parse_path(std::string_view rest) {
  const uint16_t ends_segment = kEndsAuthority | (url_.special_ ? kBackslash : 0);
  for (;;) {
    const std::string_view segment = rest.substr(0, find_class(rest, ends_segment));
    const bool last = segment.size() == rest.size() || !is_slash(rest[segment.size()]);
    const int dots = count_dots(segment);
    if (dots == 1 || dots == 2) {
      if (dots == 2) shorten_path();
      if (last) out_ += '/';
    } else if (file_ && path().empty() && is_drive_letter(segment)) {
      out_ += '/';
      out_ += segment[0];
      out_ += ':';
    } else {
      out_ += '/';
      append_encoded(out_, segment, kEncodePath);
    }
    rest.remove_prefix(segment.size() + (last ? 0 : 1));
    if (last) break;
  }
  return parse_query_and_fragment(rest);
}

const char* UrlParser::parse_opaque_path(std::string_view rest) {
  url_.opaque_path_ = true;
  const std::string_view text = rest.substr(0, std::min(rest.find('?'), rest.find('#')));
  append_encoded(out_, text, kEncodeC0);
  // A space at the end would be trimmed when the URL is read again without what follows.
  if (text.size() < rest.size() && text.ends_with(' ')) {
    out_.pop_back();
    out_ += "%20";
  }
  return parse_query_and_fragment(rest.substr(text.size()));
}

// `rest` is empty or begins with "?" or "#". The end of every parse.
const char* UrlParser::parse_query_and_fragment(std::string_view rest) {
  if (!url_.authority_ && !url_.opaque_path_ && path().starts_with("//")) {
    // Without this the path would read as a host.
    out_.insert(url_.path_, "/.");
    url_.path_ += 2;
    if (url_.query_ != Url::kNone) url_.query_ += 2;
    url_.guarded_path_ = true;
  }
  const std::string_view query = rest.substr(0, rest.find('#'));
  if (!query.empty()) {
    url_.query_ = url_.size();
    out_ += '?';
    append_encoded(out_, query.substr(1), url_.special_ ? kEncodeSpecialQuery : kEncodeQuery);
  }
  if (query.size() < rest.size()) {
    url_.fragment_ = url_.size();
    out_ += '#';
    append_encoded(out_, rest.substr(query.size() + 1), kEncodeFragment);
  }
  return nullptr;
}

void UrlParser::begin_authority() {
  out_ += "//";
  url_.authority_ = true;
  url_.username_ = url_.username_end_ = url_.host_ = url_.size();
}

void UrlParser::end_authority() {
  if (!url_.authority_) url_.username_ = url_.username_end_ = url_.host_ = url_.size();
  url_.host_end_ = url_.path_ = url_.size();
}

// Only a base of the same scheme is copied from, so the offsets are the same.
void UrlParser::copy_authority() {
  out_.assign(base_->before_path());
  url_.authority_ = base_->authority_;
  url_.username_ = base_->username_;
  url_.username_end_ = base_->username_end_;
  url_.host_ = base_->host_;
  url_.host_end_ = base_->host_end_;
  url_.path_ = url_.size();
}

void UrlParser::copy_query() {
  if (!base_->has_query()) return;
  url_.query_ = url_.size();
  const std::string_view all = base_->without_fragment();
  out_ += all.substr(base_->query_);
}

void UrlParser::shorten_path() {
  const std::string_view now = path();
  const size_t slash = now.rfind('/');
  if (slash == npos) return;
  if (file_ && slash == 0 && is_normalized_drive_letter(now.substr(1))) return;
  out_.resize(url_.path_ + slash);
}

}  // namespace aduana
