#include "page_urls.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "interrupt.h"
#include "line_reader.h"
#include "messages.h"
#include "url/url.h"

namespace aduana {
namespace {

constexpr uint64_t kLinesToTell = 5;

std::string_view trimmed(std::string_view text) {
  constexpr const char* kBlank = " \t\r";
  const size_t begin = text.find_first_not_of(kBlank);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

// What the URLs of a host begin with.
Result<std::string> prefix_of(const LineReader::Line& line) {
  const std::string_view host = trimmed(line.text);
  if (line.too_long || host.empty()) return Error(Code::corrupt, "there is no host");
  const bool number = host.find_first_not_of("0123456789") == std::string_view::npos;
  // A bare number would be an IP address in a URL.
  std::string prefix = fmt::format("http://{}{}/", number ? "host" : "", host);
  const auto url = Url::parse(prefix);
  if (!url) return url.error();
  if (url->has_credentials() || url->host() != url->hostname() ||
      url->href() != fmt::format("http://{}/", url->host())) {
    return Error(Code::corrupt, fmt::format("\"{}\" is no host: a name or a number, nothing else", host));
  }
  return prefix;
}

}  // namespace

Result<PageUrls> PageUrls::on_hosts_of(const std::string& path, uint64_t pages) {
  ADUANA_ASSIGN(const auto reader, LineReader::open(path));
  PageUrls urls;
  urls.prefixes_.clear();
  std::unordered_map<std::string, uint32_t> numbers;
  uint64_t bad_lines = 0;
  for (;;) {
    ADUANA_ASSIGN(const auto line, reader->next());
    if (!line || reader->number() > pages) break;
    auto prefix = prefix_of(*line);
    if (!prefix) {
      if (++bad_lines <= kLinesToTell) {
        print_error(fmt::format("{}: line {}: {}", path, reader->number(), prefix.error().message()));
      }
      continue;
    }
    const auto [at, is_new] = numbers.emplace(*prefix, static_cast<uint32_t>(urls.prefixes_.size()));
    if (is_new) urls.prefixes_.push_back(*std::move(prefix));
    urls.prefix_of_.push_back(at->second);
  }
  if (bad_lines) return Error(Code::corrupt, fmt::format("{}: {}; correct them", path, counted(bad_lines, "bad line")));
  if (reader->number() != pages && !interrupted()) {
    return Error(Code::corrupt, fmt::format("{}: {} lines than the {} of the graph: it must have one for each", path,
                                            reader->number() < pages ? "fewer" : "more", counted(pages, "page")));
  }
  return urls;
}

void PageUrls::append(std::string& out, Node page) const {
  out += prefixes_[prefix_of_.empty() ? 0 : prefix_of_[page]];
  fmt::format_to(std::back_inserter(out), "{}", page);
}

Node PageUrls::page_of(std::string_view url) {
  Node page = 0;
  std::from_chars(url.data() + url.rfind('/') + 1, url.data() + url.size(), page);
  return page;
}

}  // namespace aduana
