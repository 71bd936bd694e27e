// A segment: one file of the journal, named after the LSN of its first event, and how to read it back.
//
// Header: "ADUANAJ1" | first LSN u64 | checksum of the two u64, then frames without gaps.
#pragma once

#include <functional>
#include <string>

#include "base/file.h"
#include "journal/frame.h"

namespace aduana {

inline constexpr size_t kSegmentHeaderBytes = 24;

std::string segment_name(Lsn first_lsn);
// The first LSN that a file name stands for; 0 if it is not a segment's name.
Lsn segment_first_lsn(const std::string& name);

std::string segment_header(Lsn first_lsn);

struct SegmentScan {
  Lsn next_lsn = 0;         // after the last whole frame
  uint64_t good_bytes = 0;  // up to there
  uint64_t durable = 0;     // below it, all was known to be durable by some frame; 0 when no frame tells
  bool torn = false;        // bytes behind that are no frame and never were durable
};

using FrameVisitor = std::function<Status(const Frame& frame)>;

// Reads a segment from its start and hands every frame with events to `visit`. If the segment is known to be whole on
// the disk, what can't be read is damage; else a torn tail ends the scan, and damage is only what some frame of the
// segment knows to have been durable. Damage is Code::corrupt with file and offset.
Result<SegmentScan> scan_segment(FileSystem& fs, const std::string& path, Lsn first_lsn, bool is_whole,
                                 const FrameVisitor& visit);

// Does a frame of the segment know of something durable? Then all segments before it were synced to their ends.
Result<bool> knows_of_durable(FileSystem& fs, const std::string& path);

}  // namespace aduana
