// A frame: what one write to the journal looks like on disk, and how to tell a torn tail from damage.
//
//   magic u32 | payload length u32 | first LSN u64 | events u32 | durable u64 | checksum u32 | payload
//
// `durable` is the offset in the segment below which everything was known to be on the disk when the frame was written.
// A frame that can't be read is a torn tail (the power went while it was written: cut it off) unless a later frame
// says that it had been durable: then something damaged it, and that is reported, never skipped. All earlier segments
// were durable, too; as long as that is not known, `durable` is 0. A frame without events is there to tell it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aduana {

// The position of an event in the journal. The first event of a store has LSN 1.
using Lsn = uint64_t;

inline constexpr size_t kFrameHeaderBytes = 32;
inline constexpr uint32_t kMaxFramePayload = 1u << 30;

struct Frame {
  Lsn first_lsn = 0;
  uint32_t events = 0;
  uint64_t durable = 0;
  std::string_view payload;

  size_t size_on_disk() const { return kFrameHeaderBytes + payload.size(); }
};

// Writes the header of a frame in front of its payload: `buffer` holds kFrameHeaderBytes of room, then the payload.
void finish_frame(std::string& buffer, Lsn first_lsn, uint32_t events, uint64_t durable);

// The frame at the start of `bytes`, or nothing when they do not hold a whole, undamaged one.
std::optional<Frame> read_frame(std::string_view bytes);

// True when some readable frame in `bytes`, which start at `offset` of their segment, shows that the byte at
// `offset` had been durable.
bool later_frame_shows_damage(std::string_view bytes, uint64_t offset);

}  // namespace aduana
