// Takes numbers out of the bits of a group, in the order in which the encoder said them.
//
// A small value, meant to live in registers: functions with a loop take a copy of it and give it back. Behind the end
// of the stream the numbers can be any, but nothing is read there beyond kBitPadding bytes.
#pragma once

#include <algorithm>
#include <array>

#include "graph/codec/bit_stream.h"
#include "graph/codec/row_model.h"

namespace aduana {

using RowTables = std::array<AnsDecodeTable, context::kContexts>;

class SymbolReader {
 public:
  // From bit `at` of a stream of `bits` bits.
  SymbolReader(const RowTables& tables, const char* stream, uint64_t bits, uint64_t at)
      : tables_(&tables), stream_(stream), bits_(bits), at_(std::min(at, bits)) {
    state_ = static_cast<unsigned>(low_bits(peek_bits(stream_, at_), kAnsBits));
    at_ += kAnsBits;
  }

  uint64_t take(unsigned context) {
    const AnsDecodeEntry entry = (*tables_)[context][state_];
    if (at_ > bits_) [[unlikely]] {
      at_ = bits_;
    }
    uint64_t v = entry.value;
    width_ = entry.bit_width;
    unsigned extra = entry.extra_bits;
    if (extra == AnsDecodeEntry::kElsewhere) [[unlikely]] {
      v = take_elsewhere(v);
      extra = 0;
    }
    uint64_t word = peek_bits(stream_, at_);
    v += low_bits(word, static_cast<int>(extra));
    word >>= extra;
    state_ = entry.state + static_cast<unsigned>(low_bits(word, entry.state_bits));
    at_ += extra + entry.state_bits;
    return v;
  }

  // How many bits the number taken last has.
  unsigned width() const { return width_; }

 private:
  uint64_t take_elsewhere(uint64_t symbol) {
    if (symbol == kEscape) {
      symbol = std::min<uint64_t>(low_bits(peek_bits(stream_, at_), kEscapedBits), kTokens - 1);
      at_ = std::min(at_ + kEscapedBits, bits_);
    }
    uint64_t v = symbol;
    if (symbol >= kDirectTokens) {
      const int extra = extra_bits_of(static_cast<unsigned>(symbol));
      v = value_of(static_cast<unsigned>(symbol), low_bits(peek_bits(stream_, at_), extra));
      at_ = std::min(at_ + static_cast<unsigned>(extra), bits_);
    }
    width_ = width_of(v);
    return v;
  }

  const RowTables* tables_;
  const char* stream_;
  uint64_t bits_;
  uint64_t at_;
  unsigned state_ = 0;
  unsigned width_ = 0;
};

}  // namespace aduana
