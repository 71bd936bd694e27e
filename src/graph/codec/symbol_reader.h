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
    state_ = low_bits(peek_bits(stream_, at_), kAnsBits);
    at_ += kAnsBits;
  }

  [[gnu::always_inline]] uint64_t take(unsigned context) {
    const AnsDecodeEntry& entry = (*tables_)[context][state_];
    if (at_ > bits_) [[unlikely]] {
      at_ = stay_at(bits_);
    }
    const uint64_t word = peek_bits(stream_, at_);
    const unsigned extra = entry.extra_bits;
    at_ += entry.bits;
    state_ = entry.state + (word & entry.mask);
    then_ = entry.then;
    if (extra == AnsDecodeEntry::kElsewhere) [[unlikely]] {
      const Elsewhere found = elsewhere(stream_, bits_, at_, context, entry.value);
      at_ = found.at;
      then_ = found.then;
      return found.value;
    }
    return entry.value + low_bits(word >> (entry.bits - extra), static_cast<int>(extra));
  }

  // The context of a number that follows the one taken last and is of its kind.
  unsigned then() const { return then_; }

 private:
  // A call, for else the compiler makes a conditional move of it, on which all that follows has to wait.
  [[gnu::noinline]] static uint64_t stay_at(uint64_t at) { return at; }

  struct Elsewhere {
    uint64_t value;
    uint64_t at;
    unsigned then;
  };
  // Not a part of the loops it is called from, and without `this`, so that the reader stays in registers there.
  [[gnu::noinline]] static Elsewhere elsewhere(const char* stream, uint64_t bits, uint64_t at, unsigned context,
                                               uint64_t symbol) {
    const auto take_bits = [&](int n) {
      at = std::min(at, bits);
      const uint64_t v = low_bits(peek_bits(stream, at), n);
      at += static_cast<unsigned>(n);
      return v;
    };
    if (symbol == kEscape) symbol = take_bits(kEscapedBits);
    if (context::is_head(context)) {
      const auto s = static_cast<unsigned>(std::min<uint64_t>(symbol, kHeadSymbols - 1));
      const auto extra = static_cast<uint32_t>(take_bits(RowHead::extra_bits(s)));
      return {PackedHead::of(s).bits + extra, at, context::kFirstRun};
    }
    const auto s = static_cast<unsigned>(std::min<uint64_t>(symbol, kTokens - 1));
    const uint64_t v = s < kDirectTokens ? s : value_of(s, take_bits(extra_bits_of(s)));
    return {v, at, context::after(context, v)};
  }

  const RowTables* tables_;
  const char* stream_;
  uint64_t bits_;
  uint64_t at_;
  uint64_t state_ = 0;
  unsigned then_ = 0;
};

}  // namespace aduana
