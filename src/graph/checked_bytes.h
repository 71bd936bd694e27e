// Mapped bytes with a checksum for every 64 KiB, each of which is verified when it is first touched: so damage is found
// wherever it is, and opening a large file reads little of it. Used by any number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"

namespace aduana {

inline constexpr uint64_t kCheckedChunk = 64 << 10;

// Where something is among such bytes.
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t size() const { return end - begin; }
};

// The checksums of bytes that come piece by piece.
class ChunkChecksums {
 public:
  void add(std::string_view bytes);
  // As they are to be stored: u32 each. To be called once, at the end.
  std::string finish();

 private:
  void close_chunk();
  std::string chunk_;
  std::string table_;
};

class CheckedBytes {
 public:
  // `name` is for errors. Code::corrupt if the table is not of the right size.
  static Result<CheckedBytes> open(std::string name, std::string_view bytes, std::string_view table);

  std::string_view bytes() const { return bytes_; }
  // All of a range, verified; it must be within the bytes.
  Result<std::string_view> section(const ByteRange& range) const {
    ADUANA_TRY(touch(range.begin, range.end));
    return bytes_.substr(range.begin, range.size());
  }
  // To be called before bytes [begin, end) are looked at.
  Status touch(uint64_t begin, uint64_t end) const {
    for (uint64_t chunk = begin / kCheckedChunk; chunk * kCheckedChunk < end; ++chunk) {
      if (!(seen_[chunk / 64].load(std::memory_order_relaxed) >> (chunk % 64) & 1)) ADUANA_TRY(verify(chunk));
    }
    return {};
  }

 private:
  Status verify(uint64_t chunk) const;

  std::string name_;
  std::string_view bytes_;
  std::string_view table_;
  mutable std::vector<std::atomic<uint64_t>> seen_;
};

}  // namespace aduana
