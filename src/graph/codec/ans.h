// Entropy coding with tables (tANS, Duda's): a symbol of probability p costs about −log2 p bits, and taking one is a
// look-up, a shift and an add. All alphabets of a stream share one state, so each symbol can have its own
// distribution, chosen by what was before it.
//
// A distribution gives each symbol a share of kAnsStates. Symbols too rare for a share are written as `escape`,
// followed by the symbol itself. The encoder works from the last symbol to the first (see group_encoder.cc).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "graph/codec/token.h"

namespace aduana {

inline constexpr int kAnsBits = 8;
inline constexpr unsigned kAnsStates = 1u << kAnsBits;
inline constexpr unsigned kEscape = kTokens;
inline constexpr unsigned kAnsSymbols = kTokens + 1;
inline constexpr int kEscapedBits = 7;
static_assert(kTokens <= 1u << kEscapedBits);

using AnsShares = std::array<uint16_t, kAnsSymbols>;  // add up to kAnsStates; that of kEscape is not 0
using AnsCounts = std::array<uint64_t, kTokens>;

// The shares that suit symbols counted so often.
AnsShares shares_for(const AnsCounts& counts);

void append_shares(std::string& out, const AnsShares& shares);
bool read_shares(ByteReader& in, AnsShares& shares);  // false: not a distribution

// All that a state tells: a number is `value` and the `extra_bits` that follow, added.
struct AnsDecodeEntry {
  uint32_t value = 0;
  uint8_t extra_bits = 0;  // kElsewhere: the symbol is an escape, or too large for this; `value` is the symbol
  uint8_t bit_width = 0;   // of the number
  uint8_t state = 0;       // the next one, to which `state_bits` bits are added
  uint8_t state_bits = 0;

  static constexpr uint8_t kElsewhere = 255;
};
using AnsDecodeTable = std::array<AnsDecodeEntry, kAnsStates>;
AnsDecodeTable decode_table(const AnsShares& shares);

class AnsEncodeTable {
 public:
  explicit AnsEncodeTable(const AnsShares& shares);

  bool has(unsigned symbol) const { return shares_[symbol] != 0; }
  // A state in which the decoder finds this symbol.
  unsigned any_state(unsigned symbol) const { return states_[first_[symbol]]; }
  // The state in which the decoder finds this symbol and comes to `state` by taking `bits` bits, which are `value`.
  unsigned step(unsigned symbol, unsigned state, unsigned* value, int* bits) const;

 private:
  AnsShares shares_;
  std::array<uint16_t, kAnsSymbols> first_{};
  std::array<uint16_t, kAnsStates> states_{};  // of each symbol in turn
};

}  // namespace aduana
