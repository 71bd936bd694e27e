#include "graph/checked_bytes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

uint64_t chunks_of(uint64_t bytes) { return (bytes + kCheckedChunk - 1) / kCheckedChunk; }

}  // namespace

void ChunkChecksums::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t n = std::min<size_t>(bytes.size(), kCheckedChunk - chunk_.size());
    chunk_.append(bytes.substr(0, n));
    bytes.remove_prefix(n);
    if (chunk_.size() == kCheckedChunk) close_chunk();
  }
}

void ChunkChecksums::close_chunk() {
  append_be(table_, checksum32(chunk_));
  chunk_.clear();
}

std::string ChunkChecksums::finish() {
  if (!chunk_.empty()) close_chunk();
  return std::move(table_);
}

Result<CheckedBytes> CheckedBytes::open(std::string name, std::string_view bytes, std::string_view table) {
  if (table.size() != chunks_of(bytes.size()) * sizeof(uint32_t)) {
    return Error(Code::corrupt, fmt::format("{}: the table of checksums is not of the right size", name));
  }
  CheckedBytes checked;
  checked.name_ = std::move(name);
  checked.bytes_ = bytes;
  checked.table_ = table;
  checked.seen_ = std::vector<std::atomic<uint64_t>>(chunks_of(bytes.size()) / 64 + 1);
  return checked;
}

Status CheckedBytes::verify(uint64_t chunk) const {
  const uint64_t begin = chunk * kCheckedChunk;
  if (begin >= bytes_.size()) return Error(Code::corrupt, fmt::format("{}: it ends before byte {}", name_, begin));
  const std::string_view bytes = bytes_.substr(begin, kCheckedChunk);
  if (checksum32(bytes) != load_be<uint32_t>(table_.data() + chunk * sizeof(uint32_t))) {
    return Error(Code::corrupt, fmt::format("{}: damaged between byte {} and {}: build the graph again", name_, begin,
                                            begin + bytes.size()));
  }
  seen_[chunk / 64].fetch_or(uint64_t{1} << (chunk % 64), std::memory_order_relaxed);
  return {};
}

}  // namespace aduana
