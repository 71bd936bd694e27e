// A sequence of numbers that never fall, in about 2 + log2(largest / how many) bits each, any of which can be had at
// once: Elias and Fano's. The low bits stand as they are; the high parts are a bit vector in which the i-th one is at
// high(i) + i, and the place of every 64th one is noted so that it is found by looking at a few words.
//
//   numbers u64 | low width u8 | high words u64 | low bits | high bits (words) | places u64 each | zeros
// Immutable; used by any number of threads. The bytes must outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "aduana/result.h"

namespace aduana {

void append_elias_fano(std::string& out, std::span<const uint64_t> numbers);

class EliasFano {
 public:
  EliasFano() = default;
  // Looks at the form only: of damaged bytes the numbers may be any, but reading them is safe.
  static Result<EliasFano> open(std::string_view bytes);

  uint64_t size() const { return size_; }
  uint64_t operator[](uint64_t i) const { return pair(i).first; }
  // Number i and the one after it, which must be there.
  std::pair<uint64_t, uint64_t> pair(uint64_t i) const;

 private:
  uint64_t low(uint64_t i) const;
  uint64_t next_one(uint64_t word, uint64_t from) const;

  uint64_t size_ = 0;
  int low_width_ = 0;
  uint64_t high_words_ = 0;
  const char* low_ = nullptr;
  const char* high_ = nullptr;
  const char* places_ = nullptr;
};

}  // namespace aduana
