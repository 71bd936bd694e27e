#include "pages/records.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "base/time_bytes.h"

namespace aduana {
namespace {

constexpr int kIdxBytes = 5;
constexpr int kAddressBytes = 6;

}  // namespace

const char* name_of(PageState state) {
  static constexpr const char* kNames[kPageStates] = {"known", "queued", "leased", "scheduled", "done", "gone"};
  return static_cast<size_t>(state) < kPageStates ? kNames[static_cast<size_t>(state)] : "unknown";
}

// The last 8 bytes: detail 36 bits, depth 12, depth in the domain 8, priority 5, state 3.
void PageRecord::encode(char* out) const {
  store_be<uint32_t>(out, queue.value);
  store_be<uint32_t>(out + 4, std::bit_cast<uint32_t>(score));
  const uint64_t packed = detail << 28 | uint64_t{std::min(depth, kMaxDepth)} << 16 | uint64_t{domain_depth} << 8 |
                          uint64_t{std::min(priority, kMaxPriority)} << 3 | static_cast<uint64_t>(state);
  store_be<uint64_t>(out + 8, packed);
}

PageRecord PageRecord::decode(const char* in) {
  PageRecord r;
  r.queue.value = load_be<uint32_t>(in);
  r.score = std::bit_cast<float>(load_be<uint32_t>(in + 4));
  const auto packed = load_be<uint64_t>(in + 8);
  r.detail = packed >> 28;
  r.depth = packed >> 16 & kMaxDepth;
  r.domain_depth = static_cast<uint8_t>(packed >> 8);
  r.priority = packed >> 3 & kMaxPriority;
  r.state = static_cast<PageState>(packed & 7);
  return r;
}

void DetailRecord::encode(char* out) const {
  std::memset(out, 0, kBytes);
  store_be_width(out, page.value, kIdxBytes);
  store_be<uint32_t>(out + 5, n_crawls);
  store_be<uint32_t>(out + 9, n_changes);
  store_time(out + 13, first_crawl);
  store_time(out + 19, last_crawl);
  store_time(out + 25, due);
  store_be_width(out + 31, links, kAddressBytes);
  store_be_width(out + 37, metadata, kAddressBytes);
  out[43] = static_cast<char>(failures);
  out[44] = static_cast<char>(hash_length);
  if (hash_length == kHashElsewhere) {
    store_be_width(out + 45, hash_address, kAddressBytes);
  } else {
    std::memcpy(out + 45, hash.data(), kInlineHash);
  }
}

DetailRecord DetailRecord::decode(const char* in) {
  DetailRecord d;
  d.page.value = load_be_width(in, kIdxBytes);
  d.n_crawls = load_be<uint32_t>(in + 5);
  d.n_changes = load_be<uint32_t>(in + 9);
  d.first_crawl = load_time(in + 13);
  d.last_crawl = load_time(in + 19);
  d.due = load_time(in + 25);
  d.links = load_be_width(in + 31, kAddressBytes);
  d.metadata = load_be_width(in + 37, kAddressBytes);
  d.failures = static_cast<uint8_t>(in[43]);
  d.hash_length = static_cast<uint8_t>(in[44]);
  if (d.hash_length == kHashElsewhere) {
    d.hash_address = load_be_width(in + 45, kAddressBytes);
  } else {
    std::memcpy(d.hash.data(), in + 45, kInlineHash);
  }
  return d;
}

}  // namespace aduana
