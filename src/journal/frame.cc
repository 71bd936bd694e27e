#include "journal/frame.h"

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

constexpr uint32_t kFrameMagic = 0x414a4631;  // "AJF1"
constexpr size_t kChecksumAt = 28;

uint32_t frame_checksum(std::string_view header, std::string_view payload) {
  return checksum32(payload, checksum64(header.substr(0, kChecksumAt)));
}

}  // namespace

void finish_frame(std::string& buffer, Lsn first_lsn, uint32_t events, uint64_t durable) {
  const std::string_view payload = std::string_view(buffer).substr(kFrameHeaderBytes);
  char* header = buffer.data();
  store_be<uint32_t>(header, kFrameMagic);
  store_be<uint32_t>(header + 4, static_cast<uint32_t>(payload.size()));
  store_be<uint64_t>(header + 8, first_lsn);
  store_be<uint32_t>(header + 16, events);
  store_be<uint64_t>(header + 20, durable);
  store_be<uint32_t>(header + kChecksumAt, frame_checksum({header, kFrameHeaderBytes}, payload));
}

std::optional<Frame> read_frame(std::string_view bytes) {
  if (bytes.size() < kFrameHeaderBytes) return std::nullopt;
  const char* header = bytes.data();
  if (load_be<uint32_t>(header) != kFrameMagic) return std::nullopt;
  const uint32_t length = load_be<uint32_t>(header + 4);
  if (length > kMaxFramePayload || bytes.size() - kFrameHeaderBytes < length) return std::nullopt;
  Frame frame;
  frame.payload = bytes.substr(kFrameHeaderBytes, length);
  if (load_be<uint32_t>(header + kChecksumAt) != frame_checksum(bytes.substr(0, kFrameHeaderBytes), frame.payload)) {
    return std::nullopt;
  }
  frame.first_lsn = load_be<uint64_t>(header + 8);
  frame.events = load_be<uint32_t>(header + 16);
  frame.durable = load_be<uint64_t>(header + 20);
  return frame;
}

bool later_frame_shows_damage(std::string_view bytes, uint64_t offset) {
  char magic[4];
  store_be<uint32_t>(magic, kFrameMagic);
  const std::string_view needle(magic, sizeof magic);
  for (size_t at = bytes.find(needle, 1); at != std::string_view::npos; at = bytes.find(needle, at + 1)) {
    const auto frame = read_frame(bytes.substr(at));
    if (frame && frame->durable > offset) return true;
  }
  return false;
}

}  // namespace aduana
