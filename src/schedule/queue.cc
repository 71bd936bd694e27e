#include "schedule/queue.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "base/time_bytes.h"

namespace aduana {
namespace {

constexpr uint32_t kNoDelay = UINT32_MAX;

void store_span(char* out, Millis span) {
  store_be<uint32_t>(out, static_cast<uint32_t>(std::clamp<int64_t>(span.count(), 0, kNoDelay - 1)));
}

Millis load_span(const char* in) { return Millis{load_be<uint32_t>(in)}; }

}  // namespace

void Queue::encode(char* out) const {
  std::memset(out, 0, kRecordBytes);
  store_time(out, next_time);
  store_time(out + 6, blocked_until);
  store_time(out + 12, backed_off_until);
  store_time(out + 18, temperature.as_of);
  store_be<uint64_t>(out + 24, std::bit_cast<uint64_t>(temperature.value));
  store_span(out + 32, last_fetch);
  store_span(out + 36, crawl_delay);
  if (delay) {
    store_span(out + 40, *delay);
  } else {
    store_be<uint32_t>(out + 40, kNoDelay);
  }
  store_be<uint32_t>(out + 44, limit);
  out[48] = static_cast<char>(failures_in_a_row);
  store_time(out + 49, last_request);
  out[55] = 1;  // a record is here, though all else may be zero
  store_be<uint64_t>(out + 56, address);
}

void Queue::decode(const char* in) {
  next_time = load_time(in);
  blocked_until = load_time(in + 6);
  backed_off_until = load_time(in + 12);
  temperature.as_of = load_time(in + 18);
  temperature.value = std::bit_cast<double>(load_be<uint64_t>(in + 24));
  last_fetch = load_span(in + 32);
  crawl_delay = load_span(in + 36);
  delay.reset();
  if (load_be<uint32_t>(in + 40) != kNoDelay) delay = load_span(in + 40);
  limit = load_be<uint32_t>(in + 44);
  failures_in_a_row = static_cast<uint8_t>(in[48]);
  last_request = load_time(in + 49);
  address = load_be<uint64_t>(in + 56);
}

}  // namespace aduana
