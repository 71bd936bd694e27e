#include "journal/events.h"

#include <bit>

#include "aduana/page.h"
#include "base/bytes.h"

namespace aduana {
namespace {

constexpr uint8_t kHasMetadata = 1;
constexpr uint8_t kHasFetchTime = 2;
constexpr uint8_t kMayBeRepeated = 4;
constexpr uint8_t kTimeNotTold = 8;

// The head of a new URL: bytes shared with the one before << 4 | these.
constexpr uint64_t kSameScore = 1;
constexpr uint64_t kSamePriority = 2;
constexpr uint64_t kSameDomain = 4;
constexpr uint64_t kHasQueue = 8;
constexpr int kSharedShift = 4;

bool is_payload(EventKind kind) { return kind == EventKind::other || kind == EventKind::deleted; }

void append_float(std::string& out, float v) { append_be<uint32_t>(out, std::bit_cast<uint32_t>(v)); }
float read_float(ByteReader& in) { return std::bit_cast<float>(in.be<uint32_t>()); }

// Each URL is told by its difference from the one before; score and priority by one bit when they are the same again.
void append_new_urls(std::string& out, const std::vector<NewUrl>& urls, bool with_metadata) {
  append_varint(out, urls.size());
  std::string_view before;
  float score_before = 0;
  uint8_t priority_before = kDefaultPriority;
  for (const NewUrl& u : urls) {
    size_t shared = 0;
    while (shared < before.size() && shared < u.url.size() && before[shared] == u.url[shared]) ++shared;
    const bool same_score = std::bit_cast<uint32_t>(u.score) == std::bit_cast<uint32_t>(score_before);
    const bool same_priority = u.priority == priority_before;
    append_varint(out, shared << kSharedShift | (same_score ? kSameScore : 0) | (same_priority ? kSamePriority : 0) |
                           (u.same_domain ? kSameDomain : 0) | (u.queue.empty() ? 0 : kHasQueue));
    append_sized(out, u.url.substr(shared));
    append_varint(out, u.host_begin);
    append_varint(out, u.host_length);
    if (!same_score) append_float(out, u.score);
    if (!same_priority) out.push_back(static_cast<char>(u.priority));
    if (!u.queue.empty()) append_sized(out, u.queue);
    if (with_metadata) append_sized(out, u.metadata);
    before = u.url;
    score_before = u.score;
    priority_before = u.priority;
  }
}

}  // namespace

void append_event(std::string& out, const Event& event) {
  out.push_back(static_cast<char>(event.kind));
  append_zigzag(out, event.now_ms);
  if (is_payload(event.kind)) {
    append_sized(out, event.payload);
    return;
  }
  append_varint(out, event.first_new);
  append_new_urls(out, event.new_urls, event.kind == EventKind::discovered);
  if (event.kind != EventKind::page) return;
  append_varint(out, event.page);
  append_zigzag(out, event.time_ms);
  append_float(out, event.score);
  append_sized(out, event.content_hash);
  out.push_back(static_cast<char>((event.metadata ? kHasMetadata : 0) | (event.fetch_ms ? kHasFetchTime : 0) |
                                  (event.may_be_repeated ? kMayBeRepeated : 0) | (event.time_told ? 0 : kTimeNotTold)));
  if (event.metadata) append_sized(out, *event.metadata);
  if (event.fetch_ms) append_varint(out, *event.fetch_ms);
  append_sized(out, event.links);
}

Status EventReader::next(Event& event) {
  ByteReader in(left_);
  const auto bad = [] { return Error(Code::corrupt, "an event of the journal can't be decoded"); };
  event.kind = static_cast<EventKind>(in.be<uint8_t>());
  if (event.kind != EventKind::page && event.kind != EventKind::discovered && !is_payload(event.kind)) {
    return Error(Code::unsupported,
                 "the journal holds an event of a kind that this version does not know; use a newer one");
  }
  const EventKind kind = event.kind;
  event = {};
  event.kind = kind;
  event.now_ms = in.zigzag();
  if (is_payload(kind)) {
    event.payload = in.sized();
    if (!in.ok()) return bad();
    left_.remove_prefix(left_.size() - in.left());
    return {};
  }
  event.first_new = in.varint();
  const uint64_t count = in.varint();
  if (count > in.left()) return bad();
  event.new_urls.assign(count, {});
  text_.clear();
  std::vector<std::pair<size_t, size_t>> places;  // of each URL in text_, which still moves
  places.reserve(count);
  float score = 0;
  uint8_t priority = kDefaultPriority;
  for (NewUrl& u : event.new_urls) {
    const uint64_t head = in.varint();
    const size_t shared = head >> kSharedShift;
    const std::string_view rest = in.sized();
    const size_t begin = text_.size();
    if (shared > 0) {
      if (places.empty() || shared > places.back().second) return bad();
      text_.append(text_, places.back().first, shared);
    }
    text_ += rest;
    places.emplace_back(begin, text_.size() - begin);
    u.host_begin = static_cast<uint32_t>(in.varint());
    u.host_length = static_cast<uint32_t>(in.varint());
    if (size_t{u.host_begin} + u.host_length > places.back().second) return bad();
    if (!(head & kSameScore)) score = read_float(in);
    if (!(head & kSamePriority)) priority = in.be<uint8_t>();
    if (head & kHasQueue) u.queue = in.sized();
    u.score = score;
    u.priority = priority;
    u.same_domain = head & kSameDomain;
    if (event.kind == EventKind::discovered) u.metadata = in.sized();
  }
  for (size_t i = 0; i < count; ++i) {
    event.new_urls[i].url = std::string_view(text_).substr(places[i].first, places[i].second);
  }
  if (event.kind == EventKind::page) {
    event.page = in.varint();
    event.time_ms = in.zigzag();
    event.score = read_float(in);
    event.content_hash = in.sized();
    const auto has = in.be<uint8_t>();
    if (has & kHasMetadata) event.metadata = in.sized();
    if (has & kHasFetchTime) event.fetch_ms = in.varint();
    event.links = in.sized();
    event.may_be_repeated = has & kMayBeRepeated;
    event.time_told = !(has & kTimeNotTold);
  }
  if (!in.ok()) return bad();
  left_.remove_prefix(left_.size() - in.left());
  return {};
}

}  // namespace aduana
