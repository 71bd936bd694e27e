#include "graph/codec/ans.h"

#include <algorithm>
#include <bit>

namespace aduana {
namespace {

// Which symbol each state stands for: those of one symbol are spread as evenly as a fixed odd step does it.
std::array<uint8_t, kAnsStates> spread(const AnsShares& shares) {
  constexpr unsigned kStep = kAnsStates / 2 + kAnsStates / 8 + 3;
  static_assert(kStep % 2 == 1);
  std::array<uint8_t, kAnsStates> symbols{};
  unsigned at = 0;
  for (unsigned symbol = 0; symbol < kAnsSymbols; ++symbol) {
    for (unsigned i = 0; i < shares[symbol]; ++i) {
      symbols[at] = static_cast<uint8_t>(symbol);
      at = (at + kStep) % kAnsStates;
    }
  }
  return symbols;
}

}  // namespace

AnsShares shares_for(const AnsCounts& counts) {
  AnsShares shares{};
  uint64_t total = 0;
  for (const uint64_t count : counts) total += count;
  if (total == 0) {
    shares[kEscape] = kAnsStates;
    return shares;
  }
  // Rounded to the nearest; what is then too much or missing is taken from the largest, or given to it.
  constexpr unsigned kToShare = kAnsStates - 1;
  unsigned given = 0, largest = 0;
  uint64_t escaped = 0;
  for (unsigned s = 0; s < kEscape; ++s) {
    const double share = static_cast<double>(counts[s]) / static_cast<double>(total) * kToShare;
    // An escape costs about as much as a share of half a state does.
    shares[s] = static_cast<uint16_t>(share < 0.4 ? 0 : std::max(1.0, share + 0.5));
    if (shares[s] == 0) escaped += counts[s];
    given += shares[s];
    if (shares[s] > shares[largest]) largest = s;
  }
  const auto escape =
      static_cast<unsigned>(std::max(1.0, static_cast<double>(escaped) / static_cast<double>(total) * kToShare + 0.5));
  shares[kEscape] = static_cast<uint16_t>(escape);
  given += escape;
  while (given > kAnsStates) {
    auto most = std::max_element(shares.begin(), shares.end());
    --*most;
    --given;
  }
  shares[largest] = static_cast<uint16_t>(shares[largest] + (kAnsStates - given));
  return shares;
}

void append_shares(std::string& out, const AnsShares& shares) {
  unsigned end = kAnsSymbols - 1;
  while (end && shares[end - 1] == 0) --end;
  append_varint(out, end);
  for (unsigned s = 0; s < end; ++s) append_varint(out, shares[s]);
}

bool read_shares(ByteReader& in, AnsShares& shares) {
  shares.fill(0);
  const uint64_t end = in.varint();
  if (end >= kAnsSymbols) return false;
  unsigned given = 0;
  for (unsigned s = 0; s < end; ++s) {
    const uint64_t share = in.varint();
    if (!in.ok() || share >= kAnsStates - given) return false;
    shares[s] = static_cast<uint16_t>(share);
    given += static_cast<unsigned>(share);
  }
  shares[kEscape] = static_cast<uint16_t>(kAnsStates - given);
  return in.ok();
}

AnsDecodeTable decode_table(const AnsShares& shares) {
  AnsDecodeTable table;
  AnsShares next = shares;
  const auto symbols = spread(shares);
  for (unsigned state = 0; state < kAnsStates; ++state) {
    const unsigned y = next[symbols[state]]++;  // from the share up to less than twice that
    const int bits = kAnsBits + 1 - std::bit_width(y);
    table[state] = {static_cast<uint8_t>(symbols[state]), static_cast<uint8_t>((y << bits) - kAnsStates),
                    static_cast<uint8_t>(bits)};
  }
  return table;
}

AnsEncodeTable::AnsEncodeTable(const AnsShares& shares) : shares_(shares) {
  unsigned first = 0;
  for (unsigned s = 0; s < kAnsSymbols; ++s) {
    first_[s] = static_cast<uint16_t>(first);
    first += shares[s];
  }
  auto next = first_;
  const auto symbols = spread(shares);
  for (unsigned state = 0; state < kAnsStates; ++state) states_[next[symbols[state]]++] = static_cast<uint16_t>(state);
}

unsigned AnsEncodeTable::step(unsigned symbol, unsigned state, unsigned* value, int* bits) const {
  const unsigned share = shares_[symbol];
  const unsigned x = state + kAnsStates;
  *bits = std::bit_width(x) - std::bit_width(share);
  if (x >> *bits < share) --*bits;
  *value = x & ((1u << *bits) - 1);
  return states_[first_[symbol] + (x >> *bits) - share];
}

}  // namespace aduana
