#include "base/chunked_bytes.h"

#include <algorithm>
#include <cstring>

namespace aduana {

size_t ChunkedBytes::read(uint64_t offset, char* out, size_t n) const {
  if (offset >= size_) return 0;
  n = static_cast<size_t>(std::min<uint64_t>(n, size_ - offset));
  for (size_t done = 0; done < n;) {
    const size_t within = (offset + done) % kChunk;
    const size_t step = std::min(n - done, kChunk - within);
    const auto& chunk = chunks_[(offset + done) / kChunk];
    if (chunk) {
      std::memcpy(out + done, chunk->data() + within, step);
    } else {
      std::memset(out + done, 0, step);
    }
    done += step;
  }
  return n;
}

void ChunkedBytes::write(uint64_t offset, std::string_view bytes) {
  if (bytes.empty()) return;
  if (offset + bytes.size() > size_) resize(offset + bytes.size());
  while (!bytes.empty()) {
    const size_t within = offset % kChunk;
    const size_t step = std::min(bytes.size(), kChunk - within);
    auto& chunk = chunks_[offset / kChunk];
    auto changed = chunk ? std::make_shared<Chunk>(*chunk) : std::make_shared<Chunk>(Chunk{});
    std::memcpy(changed->data() + within, bytes.data(), step);
    chunk = std::move(changed);
    bytes.remove_prefix(step);
    offset += step;
  }
}

void ChunkedBytes::resize(uint64_t size) {
  chunks_.resize((size + kChunk - 1) / kChunk);
  const size_t within = size % kChunk;
  if (size < size_ && within != 0 && chunks_.back()) {
    auto changed = std::make_shared<Chunk>(*chunks_.back());
    std::memset(changed->data() + within, 0, kChunk - within);
    chunks_.back() = std::move(changed);
  }
  size_ = size;
}

std::string ChunkedBytes::to_string() const {
  std::string bytes(size_, '\0');
  read(0, bytes.data(), bytes.size());
  return bytes;
}

void ChunkedBytes::follow(const ChunkedBytes& other, uint64_t from) {
  chunks_.resize(other.chunks_.size());
  const size_t first = std::min<uint64_t>(from / kChunk, chunks_.size());
  std::copy(other.chunks_.begin() + static_cast<std::ptrdiff_t>(first), other.chunks_.end(),
            chunks_.begin() + static_cast<std::ptrdiff_t>(first));
  size_ = other.size_;
}

}  // namespace aduana
