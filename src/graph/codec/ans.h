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

namespace aduana {

inline constexpr int kAnsBits = 8;
inline constexpr unsigned kAnsStates = 1u << kAnsBits;
inline constexpr unsigned kEscape = 143;  // those below are for the user
inline constexpr unsigned kAnsSymbols = kEscape + 1;
inline constexpr int kEscapedBits = 8;

using AnsShares = std::array<uint16_t, kAnsSymbols>;  // add up to kAnsStates; that of kEscape is not 0
using AnsCounts = std::array<uint64_t, kEscape>;

// The shares that suit symbols counted so often.
AnsShares shares_for(const AnsCounts& counts);

void append_shares(std::string& out, const AnsShares& shares);
bool read_shares(ByteReader& in, AnsShares& shares);  // false: not a distribution

// What a state tells: the symbol; the next state is `state` and the `bits` bits that follow, added.
struct AnsStep {
  uint8_t symbol = 0;
  uint8_t state = 0;
  uint8_t bits = 0;
};
static_assert(kAnsStates == 256 && kAnsSymbols <= 256);
using AnsDecodeTable = std::array<AnsStep, kAnsStates>;
AnsDecodeTable decode_table(const AnsShares& shares);

class AnsEncodeTable {
 public:
  explicit AnsEncodeTable(const AnsShares& shares);

  bool has(unsigned symbol) const { return shares_[symbol] != 0; }
  // The state in which the decoder finds this symbol and comes to `state` by taking `bits` bits, which are `value`.
  unsigned step(unsigned symbol, unsigned state, unsigned* value, int* bits) const;

 private:
  AnsShares shares_;
  std::array<uint16_t, kAnsSymbols> first_{};
  std::array<uint16_t, kAnsStates> states_{};  // of each symbol in turn
};

}  // namespace aduana
