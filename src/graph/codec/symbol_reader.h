// Takes numbers out of the bits of a group, in the order in which the encoder said them.
//
// A small value, meant to live in registers: a function with a loop takes a copy of it and gives it back. Behind the
// end of the stream the numbers can be any, but nothing is read there beyond kBitPadding bytes.
#pragma once

#include <algorithm>
#include <array>

#include "graph/codec/bit_stream.h"
#include "graph/codec/row_tables.h"

namespace aduana {

class SymbolReader {
 public:
  // From bit `at` of a stream of `bits` bits.
  SymbolReader(const RowTables& tables, const char* stream, uint64_t bits, uint64_t at)
      : steps_(tables.data()), stream_(stream), bits_(bits), at_(std::min(at, bits)) {
    state_ = static_cast<RowPlace>(low_bits(peek_bits(stream_, at_), kAnsBits));
    at_ += kAnsBits;
  }

  // The next number, of a context or of the one that the number before led to.
  [[gnu::always_inline]] uint64_t take(unsigned context) { return take_at(place_in(context, next_ + state_)); }
  [[gnu::always_inline]] uint64_t take() { return take_at(next_ + state_); }

  // Whether take() would take one of the last context.
  bool at_last_context() const { return next_ >= place_in(context::kContexts - 1); }
  // The context of which take() would take one.
  unsigned then() const { return next_ / kAnsStates; }

 private:
  [[gnu::always_inline]] uint64_t take_at(RowPlace place) {
    const RowStep& step = steps_[place];
    if (at_ > bits_) [[unlikely]] {
      at_ = stay_at(bits_);
    }
    const uint64_t word = peek_bits(stream_, at_);
    next_ = step.next;
    state_ = static_cast<uint32_t>(word) & step.state_mask;
    const uint32_t told = step.value_and_state_bits;
    if (step.bits >= RowStep::kElsewhere) [[unlikely]] {
      const Elsewhere found = elsewhere(stream_, bits_, at_, place, told);
      at_ = found.at;
      next_ = place_in(found.then, next_);
      return found.value;
    }
    at_ += step.bits;
    return (told >> RowStep::kStateBits) + ((word & kLowBits[step.bits]) >> (told % (1u << RowStep::kStateBits)));
  }

  // A call, for else the compiler makes a conditional move of it, on which all that follows has to wait.
  [[gnu::noinline]] static uint64_t stay_at(uint64_t at) { return at; }

  struct Elsewhere {
    uint64_t value;
    uint64_t at;
    unsigned then;
  };
  // Not a part of the loops it is called from, and without `this`, so that the reader stays in registers there.
  [[gnu::noinline]] static Elsewhere elsewhere(const char* stream, uint64_t bits, uint64_t at, RowPlace place,
                                               uint32_t told) {
    const auto take_bits = [&](int n) {
      at = std::min(at, bits);
      const uint64_t v = low_bits(peek_bits(stream, at), n);
      at += static_cast<unsigned>(n);
      return v;
    };
    take_bits(static_cast<int>(told % (1u << RowStep::kStateBits)));
    const unsigned context = place / kAnsStates;
    uint64_t symbol = told >> RowStep::kStateBits;
    if (symbol == kEscape) symbol = take_bits(kEscapedBits);
    if (context::is_head(context)) {
      const auto s = static_cast<unsigned>(std::min<uint64_t>(symbol, kHeadSymbols - 1));
      const auto extra = static_cast<uint32_t>(take_bits(RowHead::extra_bits(s)));
      return {PackedHead::of(s).bits + extra, at, context::kHead + kind_of_head(s)};
    }
    const auto s = static_cast<unsigned>(std::min<uint64_t>(symbol, kTokens - 1));
    const uint64_t v = s < kDirectTokens ? s : value_of(s, take_bits(extra_bits_of(s)));
    return {v, at, context::after(context, v)};
  }

  const RowStep* steps_;
  const char* stream_;
  uint64_t bits_;
  uint64_t at_;
  // The place of the next number is the sum of the two; kept apart, for the one is known before the other.
  RowPlace next_ = 0, state_ = 0;
};

}  // namespace aduana
