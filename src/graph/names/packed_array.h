// Numbers below n in ceil(log2 n) bits each, n of them, one after the other in a graph file; kBitPadding zeros follow.
// Each is verified when it is read. Immutable; used by any number of threads. The CheckedBytes must outlive it.
#pragma once

#include <bit>
#include <cstdint>

#include "graph/checked_bytes.h"
#include "graph/codec/bit_stream.h"
#include "graph/graph_file_writer.h"

namespace aduana {

class PackedArray {
 public:
  static int width_for(uint64_t n) { return n ? std::bit_width(n - 1) : 0; }
  // n must be small enough for the number of bits to be one of 64 bits.
  static uint64_t bytes_for(uint64_t n) { return (n * static_cast<uint64_t>(width_for(n)) + 7) / 8 + kBitPadding; }

  PackedArray() = default;
  // There are bytes_for(n) bytes from `begin` on.
  PackedArray(const CheckedBytes& file, uint64_t begin, uint64_t n)
      : file_(&file), begin_(begin), width_(width_for(n)) {}

  // Number i, which must be there. Of damaged bytes it may be n or more.
  Result<uint64_t> get(uint64_t i) const {
    const uint64_t bit = i * static_cast<uint64_t>(width_);
    const uint64_t at = begin_ + bit / 8;
    ADUANA_TRY(file_->touch(at, at + sizeof(uint64_t)));
    return low_bits(peek_bits(file_->bytes().data() + begin_, bit), width_);
  }

 private:
  const CheckedBytes* file_ = nullptr;
  uint64_t begin_ = 0;
  int width_ = 0;
};

class PackedArrayWriter {
 public:
  PackedArrayWriter(GraphFileWriter& out, uint64_t n)
      : out_(out), width_(PackedArray::width_for(n)), begin_(out.size()) {}

  Status add(uint64_t v) {
    bits_.put(v, width_);
    return bits_.bits() < kBufferBits ? Status() : out_.append(bits_.take_full_bytes());
  }

  // To be called once, after n numbers.
  Result<ByteRange> finish() {
    bits_.pad();
    ADUANA_TRY(out_.append(bits_.take_full_bytes() + std::string(kBitPadding, '\0')));
    return ByteRange{begin_, out_.size()};
  }

 private:
  static constexpr uint64_t kBufferBits = 8 << 16;

  GraphFileWriter& out_;
  const int width_;
  const uint64_t begin_;
  BitWriter bits_;
};

}  // namespace aduana
