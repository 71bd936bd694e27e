#include "page_lines.h"

#include <fmt/format.h>

#include "base/json_line.h"

namespace aduana {
namespace {

std::string hex_of_bytes(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  return hex;
}

std::string crawl_time(const PageInfo& page, Instant t) { return page.n_crawls ? seconds_of(t) : "0"; }

}  // namespace

std::string hex_of(uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string seconds_of(Instant t) {
  const int64_t ms = t.time_since_epoch().count();
  const uint64_t size = ms < 0 ? 0 - static_cast<uint64_t>(ms) : static_cast<uint64_t>(ms);
  return fmt::format("{}{}.{:03}", ms < 0 ? "-" : "", size / 1000, size % 1000);
}

std::string brief_line(const PageInfo& page) { return fmt::format("{:016x} {}\n", page.hash, page.url); }

std::string dump_line(const PageInfo& page) {
  return fmt::format("{:016x} {} {} {} {} {} {} {} {}\n", page.hash, page.idx.value, page.url,
                     crawl_time(page, page.first_crawl), crawl_time(page, page.last_crawl), page.n_changes,
                     page.n_crawls, page.depth, page.score);
}

std::string brief_json(const PageInfo& page) {
  return JsonLine().number("idx", page.idx.value).text("hash", hex_of(page.hash)).text("url", page.url).object();
}

std::string full_json(const PageInfo& page) {
  JsonLine line;
  line.number("idx", page.idx.value).text("hash", hex_of(page.hash)).text("url", page.url).text("host", page.host);
  line.text("state", name_of(page.state)).number("depth", page.depth).number("score", page.score);
  if (page.linked_from == kNoPage) {
    line.json("linked_from", "null");
  } else {
    line.number("linked_from", page.linked_from.value).text("linked_from_hash", hex_of(page.linked_from_hash));
  }
  line.number("n_crawls", page.n_crawls).number("n_changes", page.n_changes);
  line.json("first_crawl", page.n_crawls ? seconds_of(page.first_crawl) : "null");
  line.json("last_crawl", page.n_crawls ? seconds_of(page.last_crawl) : "null");
  if (!page.content_hash.empty()) {
    line.text("content_hash", page.content_hash).text("content_hash_hex", hex_of_bytes(page.content_hash));
  }
  if (!page.metadata.empty()) {
    line.text("metadata", page.metadata).text("metadata_hex", hex_of_bytes(page.metadata));
  }
  return line.object();
}

}  // namespace aduana
