#include "journal/segment.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

constexpr std::string_view kSegmentMagic = "ADUANAJ1";
constexpr std::string_view kSuffix = ".journal";

Error damaged(const std::string& path, uint64_t offset, std::string_view what) {
  return Error(Code::corrupt,
               fmt::format("{}: damaged at offset {}: {}; restore the file from a copy, or run `aduana db rebuild`",
                           path, offset, what));
}

}  // namespace

std::string segment_name(Lsn first_lsn) { return fmt::format("{:016x}{}", first_lsn, kSuffix); }

Lsn segment_first_lsn(const std::string& name) {
  if (name.size() != 16 + kSuffix.size() || !name.ends_with(kSuffix)) return 0;
  Lsn lsn = 0;
  for (char c : name.substr(0, 16)) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return 0;
    lsn = lsn << 4 | static_cast<Lsn>(digit);
  }
  return lsn;
}

std::string segment_header(Lsn first_lsn) {
  std::string header(kSegmentMagic);
  append_be<uint64_t>(header, first_lsn);
  append_be<uint64_t>(header, checksum64(header));
  return header;
}

Result<SegmentScan> scan_segment(FileSystem& fs, const std::string& path, Lsn first_lsn, bool is_whole,
                                 const FrameVisitor& visit) {
  ADUANA_ASSIGN(const std::string content, read_file(fs, path));
  const std::string_view bytes = content;
  SegmentScan scan;
  scan.next_lsn = first_lsn;
  if (bytes.substr(0, kSegmentHeaderBytes) != segment_header(first_lsn)) {
    // The header was written before the frames, but if nothing is known to be durable it may have been lost first.
    if (!is_whole && !later_frame_shows_damage(bytes, 0)) {
      scan.torn = true;
      return scan;
    }
    return damaged(path, 0, "the header is not that of a journal segment");
  }
  uint64_t at = kSegmentHeaderBytes;
  while (at < bytes.size()) {
    const auto frame = read_frame(bytes.substr(at));
    if (!frame || frame->first_lsn != scan.next_lsn) {
      if (is_whole) return damaged(path, at, "a frame of a finished segment can't be read");
      if (later_frame_shows_damage(bytes.substr(at), at)) {
        return damaged(path, at, "a frame that had been durable can't be read");
      }
      scan.torn = true;
      break;
    }
    if (frame->events > 0) ADUANA_TRY(visit(*frame));
    scan.next_lsn += frame->events;
    scan.durable = std::max(scan.durable, frame->durable);
    at += frame->size_on_disk();
  }
  scan.good_bytes = at;
  return scan;
}

Result<bool> knows_of_durable(FileSystem& fs, const std::string& path) {
  ADUANA_ASSIGN(const std::string content, read_file(fs, path));
  return later_frame_shows_damage(content, 0);
}

}  // namespace aduana
