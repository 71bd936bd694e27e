// A sequence of numbers that never fall, in about 2 + log2(largest / how many) bits each, any of which can be had at
// once: Elias and Fano's. The low bits stand as they are; the high parts are a bit vector in which the i-th one is at
// high(i) + i, and the place of every 64th one is noted so that it is found by looking at a few words.
//
//   numbers u64 | low width u8 | high words u64 | low bits | high bits (words) | places u64 each | zeros
// Immutable; used by any number of threads. The bytes must outlive it.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "aduana/result.h"
#include "graph/codec/bit_stream.h"

namespace aduana {

void append_elias_fano(std::string& out, std::span<const uint64_t> numbers);

class EliasFano {
 public:
  EliasFano() = default;
  // Looks at the form only: of damaged bytes the numbers may be any, but reading them is safe.
  static Result<EliasFano> open(std::string_view bytes);

  uint64_t size() const { return size_; }
  uint64_t operator[](uint64_t i) const { return Cursor(*this, i).next(); }

  // One number after the other, from number i on; none may be taken behind the last.
  class Cursor {
   public:
    Cursor(const EliasFano& numbers, uint64_t i);
    uint64_t next() {
      while (!ones_) {
        if (++word_ >= numbers_->high_words_) return 0;  // damaged: there is no such number
        ones_ = numbers_->high(word_);
      }
      const uint64_t place = word_ * 64 + static_cast<uint64_t>(std::countr_zero(ones_));
      ones_ &= ones_ - 1;
      const uint64_t i = i_++;
      return ((place - i) << numbers_->low_width_) | numbers_->low(i);
    }

   private:
    const EliasFano* numbers_;
    uint64_t i_;
    uint64_t word_ = 0;
    uint64_t ones_ = 0;  // of that word, from number i on
  };

 private:
  uint64_t low(uint64_t i) const {
    return low_bits(peek_bits(low_, i * static_cast<uint64_t>(low_width_)), low_width_);
  }
  uint64_t high(uint64_t word) const { return load_le64(high_ + word * 8); }

  uint64_t size_ = 0;
  int low_width_ = 0;
  uint64_t high_words_ = 0;
  const char* low_ = nullptr;
  const char* high_ = nullptr;
  const char* places_ = nullptr;
};

}  // namespace aduana
