#include "pages/records.h"

#include <bit>
#include <cstring>

#include "base/bytes.h"

namespace aduana {
namespace {

constexpr int kIdxBytes = 5;
constexpr int kAddressBytes = 6;

int64_t count_of(Instant t) { return t.time_since_epoch().count(); }
Instant instant_of(uint64_t v) { return Instant{Millis{static_cast<int64_t>(v)}}; }

}  // namespace

const char* name_of(PageState state) {
  static constexpr const char* kNames[kPageStates] = {"known", "queued", "leased", "scheduled", "done", "gone"};
  return static_cast<size_t>(state) < kPageStates ? kNames[static_cast<size_t>(state)] : "unknown";
}

void PageRecord::encode(char* out) const {
  store_be<uint32_t>(out, host.value);
  store_be<uint32_t>(out + 4, std::bit_cast<uint32_t>(score));
  store_be_width(out + 8, detail, kIdxBytes);
  store_be<uint16_t>(out + 13, depth);
  out[15] = static_cast<char>(state);
}

PageRecord PageRecord::decode(const char* in) {
  PageRecord r;
  r.host.value = load_be<uint32_t>(in);
  r.score = std::bit_cast<float>(load_be<uint32_t>(in + 4));
  r.detail = load_be_width(in + 8, kIdxBytes);
  r.depth = load_be<uint16_t>(in + 13);
  r.state = static_cast<PageState>(in[15]);
  return r;
}

void DetailRecord::encode(char* out) const {
  std::memset(out, 0, kBytes);
  store_be_width(out, page.value, kIdxBytes);
  store_be<uint32_t>(out + 5, n_crawls);
  store_be<uint32_t>(out + 9, n_changes);
  store_be<uint64_t>(out + 13, static_cast<uint64_t>(count_of(first_crawl)));
  store_be<uint64_t>(out + 21, static_cast<uint64_t>(count_of(last_crawl)));
  store_be_width(out + 29, links, kAddressBytes);
  store_be_width(out + 35, metadata, kAddressBytes);
  out[41] = static_cast<char>(hash_length);
  if (hash_length == kHashElsewhere) {
    store_be_width(out + 42, hash_address, kAddressBytes);
  } else {
    std::memcpy(out + 42, hash.data(), kInlineHash);
  }
}

DetailRecord DetailRecord::decode(const char* in) {
  DetailRecord d;
  d.page.value = load_be_width(in, kIdxBytes);
  d.n_crawls = load_be<uint32_t>(in + 5);
  d.n_changes = load_be<uint32_t>(in + 9);
  d.first_crawl = instant_of(load_be<uint64_t>(in + 13));
  d.last_crawl = instant_of(load_be<uint64_t>(in + 21));
  d.links = load_be_width(in + 29, kAddressBytes);
  d.metadata = load_be_width(in + 35, kAddressBytes);
  d.hash_length = static_cast<uint8_t>(in[41]);
  if (d.hash_length == kHashElsewhere) {
    d.hash_address = load_be_width(in + 42, kAddressBytes);
  } else {
    std::memcpy(d.hash.data(), in + 42, kInlineHash);
  }
  return d;
}

}  // namespace aduana
