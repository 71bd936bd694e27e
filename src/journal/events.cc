#include "journal/events.h"

#include <bit>

#include "base/bytes.h"

namespace aduana {
namespace {

constexpr uint8_t kHasMetadata = 1;

void append_float(std::string& out, float v) { append_be<uint32_t>(out, std::bit_cast<uint32_t>(v)); }
float read_float(ByteReader& in) { return std::bit_cast<float>(in.be<uint32_t>()); }

// Each URL is told by its difference from the one before; a score by one bit when it is the same again.
void append_new_urls(std::string& out, const std::vector<NewUrl>& urls, bool with_metadata) {
  append_varint(out, urls.size());
  std::string_view before;
  float score_before = 0;
  for (const NewUrl& u : urls) {
    size_t shared = 0;
    while (shared < before.size() && shared < u.url.size() && before[shared] == u.url[shared]) ++shared;
    const bool same_score = std::bit_cast<uint32_t>(u.score) == std::bit_cast<uint32_t>(score_before);
    append_varint(out, shared << 1 | (same_score ? 1 : 0));
    append_sized(out, u.url.substr(shared));
    append_varint(out, u.host_begin);
    append_varint(out, u.host_length);
    if (!same_score) append_float(out, u.score);
    if (with_metadata) append_sized(out, u.metadata);
    before = u.url;
    score_before = u.score;
  }
}

}  // namespace

void append_event(std::string& out, const Event& event) {
  out.push_back(static_cast<char>(event.kind));
  append_varint(out, event.first_new);
  append_new_urls(out, event.new_urls, event.kind == EventKind::discovered);
  if (event.kind != EventKind::page) return;
  append_varint(out, event.page);
  append_zigzag(out, event.time_ms);
  append_float(out, event.score);
  append_sized(out, event.content_hash);
  out.push_back(static_cast<char>(event.metadata ? kHasMetadata : 0));
  if (event.metadata) append_sized(out, *event.metadata);
  append_sized(out, event.links);
}

Status EventReader::next(Event& event) {
  ByteReader in(left_);
  const auto bad = [] { return Error(Code::corrupt, "an event of the journal can't be decoded"); };
  event.kind = static_cast<EventKind>(in.be<uint8_t>());
  if (event.kind != EventKind::page && event.kind != EventKind::discovered) {
    return Error(Code::unsupported,
                 "the journal holds an event of a kind that this version does not know; use a newer one");
  }
  event.first_new = in.varint();
  const uint64_t count = in.varint();
  if (count > in.left()) return bad();
  event.new_urls.assign(count, {});
  text_.clear();
  std::vector<std::pair<size_t, size_t>> places;  // of each URL in text_, which still moves
  places.reserve(count);
  float score = 0;
  for (NewUrl& u : event.new_urls) {
    const uint64_t head = in.varint();
    const size_t shared = head >> 1;
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
    if (!(head & 1)) score = read_float(in);
    u.score = score;
    if (event.kind == EventKind::discovered) u.metadata = in.sized();
  }
  for (size_t i = 0; i < count; ++i) {
    event.new_urls[i].url = std::string_view(text_).substr(places[i].first, places[i].second);
  }
  event.page = 0;
  event.time_ms = 0;
  event.score = 0;
  event.links = event.content_hash = {};
  event.metadata.reset();
  if (event.kind == EventKind::page) {
    event.page = in.varint();
    event.time_ms = in.zigzag();
    event.score = read_float(in);
    event.content_hash = in.sized();
    if (in.be<uint8_t>() & kHasMetadata) event.metadata = in.sized();
    event.links = in.sized();
  }
  if (!in.ok()) return bad();
  left_.remove_prefix(left_.size() - in.left());
  return {};
}

}  // namespace aduana
