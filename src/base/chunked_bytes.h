// ChunkedBytes: the content of a simulated file, in chunks that copies share, so that copying a disk costs a pointer a
// chunk and not its bytes.
//
// Invariant: a chunk never changes once made (a write replaces it), and the bytes of the last chunk beyond size() are
// zero. A null chunk is a hole and reads as zeros. Copies may be used in different threads; one object may not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace aduana {

class ChunkedBytes {
 public:
  static constexpr size_t kChunk = 4096;

  uint64_t size() const { return size_; }
  size_t read(uint64_t offset, char* out, size_t n) const;
  // Extends if needed; a gap between the old end and offset reads as zeros.
  void write(uint64_t offset, std::string_view bytes);
  void resize(uint64_t size);
  std::string to_string() const;

  // Becomes equal to `other`, given that both agree on all bytes before `from`.
  void follow(const ChunkedBytes& other, uint64_t from);

 private:
  using Chunk = std::array<char, kChunk>;

  std::vector<std::shared_ptr<const Chunk>> chunks_;
  uint64_t size_ = 0;
};

}  // namespace aduana
