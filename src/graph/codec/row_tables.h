// What a decoder of rows has to know, in one table: for each context and state the number that is told, where the bits
// of the stream lead to from there, and how many they are. Everything that can be worked out beforehand is, so that
// taking a number is a few loads and adds.
#pragma once

#include <array>
#include <cstdint>

#include "graph/codec/row_model.h"

namespace aduana {

// Where a decoder is: the context of the next number, and the state, which tells it.
using RowPlace = uint32_t;
constexpr RowPlace place_in(unsigned context, RowPlace at = 0) { return context * kAnsStates + at % kAnsStates; }

// Eight bytes, of which each is had without unpacking. The bits of the stream are first those that lead to the next
// state, then those that go with the symbol.
struct RowStep {
  // The number, or its part that the symbol tells, above kStateBits bits: how many of the stream belong to the state.
  // With kElsewhere the symbol itself.
  uint32_t value_and_state_bits = 0;
  uint16_t next = 0;  // the place, to which the state bits are to be added. Its context is that of a number of the same
                      // kind that follows, or of the next head
  uint8_t state_mask = 0;
  uint8_t bits = 0;  // of the state and of the symbol together; or kElsewhere

  static constexpr int kStateBits = 6;  // a shift takes no more of a number
  static constexpr uint64_t kMostValue = ~uint32_t{0} >> kStateBits;
  static constexpr uint8_t kElsewhere = 64;  // the symbol is an escape, or its number too large for this
};
static_assert(sizeof(RowStep) == 8 && context::kContexts * kAnsStates <= 1 << 16);

class RowTables {
 public:
  explicit RowTables(const RowModel& model);
  const RowStep* data() const { return steps_.data(); }

 private:
  std::array<RowStep, context::kContexts * kAnsStates> steps_;
};

}  // namespace aduana
