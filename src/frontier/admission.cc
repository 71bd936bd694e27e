#include "frontier/admission.h"

#include <algorithm>
#include <vector>

namespace aduana {

const char* name_of(Refusal reason) {
  static constexpr const char* kNames[kRefusalReasons] = {
      "seed_depth", "domain_depth", "url_length", "repeated_segments", "queue_full", "crawl_full", "not_web"};
  return static_cast<size_t>(reason) < kRefusalReasons ? kNames[static_cast<size_t>(reason)] : "unknown";
}

bool has_repeated_segment(std::string_view url, uint32_t most) {
  const size_t scheme = url.find("://");
  const size_t begin = url.find('/', scheme == std::string_view::npos ? 0 : scheme + 3);
  if (begin == std::string_view::npos) return false;
  // Every new URL comes here, and nearly all have too few slashes to matter.
  size_t slashes = 0;
  for (size_t at = begin; at != std::string_view::npos; at = url.find('/', at + 1)) ++slashes;
  if (slashes <= most) return false;
  const std::string_view path = url.substr(begin, url.find_first_of("?#") - begin);
  std::vector<std::string_view> segments;
  for (size_t at = 0; at < path.size();) {
    const size_t next = std::min(path.find('/', at + 1), path.size());
    if (next > at + 1) segments.push_back(path.substr(at + 1, next - at - 1));
    at = next;
  }
  std::sort(segments.begin(), segments.end());
  for (size_t i = most; i < segments.size(); ++i) {
    if (segments[i] == segments[i - most]) return true;
  }
  return false;
}

std::optional<Refusal> refusal_of(const CrawlLimits& limits, std::string_view url, bool is_seed,
                                  const PageRecord& record, uint64_t pages_in_queue, uint64_t pages_in_crawl) {
  const auto over = [](uint64_t value, uint64_t limit) { return limit > 0 && value > limit; };
  if (limits.only_web && !url.starts_with("http://") && !url.starts_with("https://")) return Refusal::not_web;
  if (!is_seed) {
    if (over(record.depth, limits.max_seed_depth)) return Refusal::seed_depth;
    if (over(record.domain_depth, limits.max_domain_depth)) return Refusal::domain_depth;
    if (over(url.size(), limits.max_url_length)) return Refusal::url_length;
    if (limits.max_repeated_segments > 0 && has_repeated_segment(url, limits.max_repeated_segments)) {
      return Refusal::repeated_segments;
    }
  }
  if (over(pages_in_queue + 1, limits.max_pages_per_queue)) return Refusal::queue_full;
  if (over(pages_in_crawl + 1, limits.max_pages_per_crawl)) return Refusal::crawl_full;
  return std::nullopt;
}

}  // namespace aduana
