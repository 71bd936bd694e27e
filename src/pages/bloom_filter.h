// A blocked Bloom filter over page keys: all bits of a key in one cache line, ten bits a key, about 1 % false
// positives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/zeroed_array.h"
#include "url/keys.h"

namespace aduana {

class BloomFilter {
 public:
  static constexpr size_t kBitsPerKey = 10;

  explicit BloomFilter(size_t keys) : lines_((keys * kBitsPerKey + 511) / 512 + 1) {}

  void add(const PageKey& key) {
    Line& line = lines_[line_of(key)];
    uint64_t bits = key.lo;
    for (int i = 0; i < kProbes; ++i, bits >>= 9) line.words[bits >> 6 & 7] |= 1ull << (bits & 63);
  }

  void prefetch(const PageKey& key) const { __builtin_prefetch(&lines_[line_of(key)]); }

  bool may_contain(const PageKey& key) const {
    const Line& line = lines_[line_of(key)];
    uint64_t bits = key.lo;
    for (int i = 0; i < kProbes; ++i, bits >>= 9) {
      if (!(line.words[bits >> 6 & 7] >> (bits & 63) & 1)) return false;
    }
    return true;
  }

  std::string serialize() const {
    std::string out(lines_.size() * sizeof(Line), '\0');
    for (size_t i = 0; i < lines_.size() * 8; ++i) store_be<uint64_t>(&out[i * 8], lines_[i / 8].words[i % 8]);
    return out;
  }

  static BloomFilter deserialize(std::string_view bytes) {
    BloomFilter filter(0);
    filter.lines_ = ZeroedArray<Line>(bytes.size() / sizeof(Line));
    for (size_t i = 0; i < filter.lines_.size() * 8; ++i) {
      filter.lines_[i / 8].words[i % 8] = load_be<uint64_t>(bytes.data() + i * 8);
    }
    return filter;
  }

 private:
  static constexpr int kProbes = 6;
  struct alignas(64) Line {
    uint64_t words[8];
  };

  size_t line_of(const PageKey& key) const {
    const uint64_t mixed = (key.hi ^ key.lo >> 32) * 0x9e3779b97f4a7c15u;
    return (mixed >> 32) * lines_.size() >> 32;  // a filter has far fewer than 2^32 lines
  }

  ZeroedArray<Line> lines_;
};

}  // namespace aduana
