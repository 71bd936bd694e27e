#include "page_record.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"

namespace aduana::bench {

void append_record(std::string& out, const PageRecord& record, std::string_view url) {
  append_be(out, std::bit_cast<uint32_t>(record.score));
  append_varint(out, record.depth);
  append_varint(out, record.linked_from);
  append_varint(out, record.crawls);
  if (record.crawls > 0) {
    append_varint(out, record.changes);
    append_zigzag(out, record.first_crawl_ms);
    append_zigzag(out, record.last_crawl_ms - record.first_crawl_ms);
    append_be(out, record.content_hash);
  }
  out.append(url);
}

Result<PageRecord> parse_record(std::string_view bytes) {
  ByteReader in(bytes);
  PageRecord record;
  record.score = std::bit_cast<float>(in.be<uint32_t>());
  record.depth = in.varint();
  record.linked_from = in.varint();
  record.crawls = in.varint();
  if (record.crawls > 0) {
    record.changes = in.varint();
    record.first_crawl_ms = in.zigzag();
    record.last_crawl_ms = record.first_crawl_ms + in.zigzag();
    record.content_hash = in.be<uint64_t>();
  }
  if (!in.ok()) return Error(Code::corrupt, "page record of the baseline ends early");
  return record;
}

void append_links(std::string& out, uint64_t page, std::vector<uint64_t>& targets) {
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  append_varint(out, targets.size());
  uint64_t before = page;
  for (uint64_t target : targets) {
    append_zigzag(out, static_cast<int64_t>(target - before));
    before = target;
  }
}

}  // namespace aduana::bench
