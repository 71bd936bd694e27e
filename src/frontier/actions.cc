#include "frontier/actions.h"

#include "base/bytes.h"

namespace aduana {
namespace {

void append_time(std::string& out, Instant t) { append_zigzag(out, t.time_since_epoch().count()); }
Instant read_time(ByteReader& in) { return Instant{Millis{in.zigzag()}}; }

}  // namespace

std::string Action::encode() const {
  std::string out(1, static_cast<char>(kind));
  switch (kind) {
    case ActionKind::granted:
    case ActionKind::returned:
    case ActionKind::released:
    case ActionKind::failed:
    case ActionKind::woken: {
      append_varint(out, pages.size());
      uint64_t before = 0;
      for (const PageIdx page : pages) {
        append_zigzag(out, static_cast<int64_t>(page.value - before));
        before = page.value;
      }
      if (kind == ActionKind::granted) append_time(out, until);
      if (kind == ActionKind::failed) {
        out.push_back(static_cast<char>(failure));
        append_varint(out, fetch_ms_plus_1);
      }
      break;
    }
    case ActionKind::control:
      append_varint(out, queue.value);
      append_time(out, until);
      append_varint(out, delay_ms_plus_1);
      append_varint(out, crawl_delay_ms);
      append_varint(out, limit);
      append_be<uint64_t>(out, address);
      break;
    case ActionKind::paused:
      out.push_back(on ? 1 : 0);
      break;
  }
  return out;
}

Result<Action> Action::decode(std::string_view payload) {
  ByteReader in(payload);
  Action action;
  action.kind = static_cast<ActionKind>(in.be<uint8_t>());
  switch (action.kind) {
    case ActionKind::granted:
    case ActionKind::returned:
    case ActionKind::released:
    case ActionKind::failed:
    case ActionKind::woken: {
      const uint64_t count = in.varint();
      if (count > in.left()) return Error(Code::corrupt, "an event of the frontier can't be decoded");
      uint64_t page = 0;
      for (uint64_t i = 0; i < count; ++i) {
        page += static_cast<uint64_t>(in.zigzag());
        action.pages.push_back({page});
      }
      if (action.kind == ActionKind::granted) action.until = read_time(in);
      if (action.kind == ActionKind::failed) {
        action.failure = in.be<uint8_t>();
        action.fetch_ms_plus_1 = in.varint();
      }
      break;
    }
    case ActionKind::control:
      action.queue.value = static_cast<uint32_t>(in.varint());
      action.until = read_time(in);
      action.delay_ms_plus_1 = in.varint();
      action.crawl_delay_ms = in.varint();
      action.limit = static_cast<uint32_t>(in.varint());
      action.address = in.be<uint64_t>();
      break;
    case ActionKind::paused:
      action.on = in.be<uint8_t>() != 0;
      break;
    default:
      return Error(Code::unsupported,
                   "the journal holds an event of a kind that this version does not know; use a newer one");
  }
  if (!in.ok() || !in.at_end()) return Error(Code::corrupt, "an event of the frontier can't be decoded");
  return action;
}

}  // namespace aduana
