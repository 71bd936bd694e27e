#include "graph/codec/row_model.h"

#include <cmath>

namespace aduana {

unsigned context::after(unsigned context, uint64_t v) {
  const unsigned width = static_cast<unsigned>(std::bit_width(v));
  if (context >= kGapAtStart && context < kZeros) {
    // Zeros are counted by the contexts themselves: the first of kGap are those after one of them, and after two.
    constexpr unsigned kBeforeLast = kGap + kZerosToARun - 2;
    if (v == 0 && context >= kGap && context <= kBeforeLast) return context == kBeforeLast ? kZeros : context + 1;
    static_assert(kZerosToARun == 3);
    constexpr unsigned kOfWidth[] = {0, 2, 3, 4, 4, 5, 5, 6, 6, 6};
    return kGap + (width < std::size(kOfWidth) ? kOfWidth[width] : 7);
  }
  const unsigned of_width = std::min(width, 2u);
  if (context == kFirstRun || (context >= kCopiedRun && context < kFirst)) return kLeftOutRun + of_width;
  if (context >= kLeftOutRun && context < kCopiedRun) return kCopiedRun + of_width;
  return context == kZeros ? kGapAfterZeros : kGapAtStart;
}

RowModel::RowModel() {
  AnsCounts counts{}, heads{};
  for (unsigned s = 0; s < kTokens; ++s) counts[s] = 1'000'000 / ((s + 1) * (s + 1));
  shares_.fill(shares_for(counts));
  for (unsigned s = 0; s < kHeadSymbols; ++s) heads[s] = 1;
  for (unsigned c = context::kHead; c < context::kMoreBack; ++c) shares_[c] = shares_for(heads);
}

RowModel::RowModel(const RowCounts& counts) {
  for (unsigned c = 0; c < context::kContexts; ++c) shares_[c] = shares_for(counts[c]);
}

void RowModel::encode(std::string& out) const {
  for (const AnsShares& shares : shares_) append_shares(out, shares);
}

bool RowModel::decode(ByteReader& in, RowModel& model) {
  return std::all_of(model.shares_.begin(), model.shares_.end(),
                     [&](AnsShares& shares) { return read_shares(in, shares); });
}

RowCosts::RowCosts(const RowModel& model) {
  for (unsigned c = 0; c < context::kContexts; ++c) {
    const AnsShares& shares = model.shares(c);
    const auto bits = [&](unsigned symbol) { return static_cast<float>(kAnsBits - std::log2(shares[symbol])); };
    for (unsigned s = 0; s < kEscape; ++s) {
      bits_[c][s] = (shares[s] ? bits(s) : bits(kEscape) + kEscapedBits) + static_cast<float>(extra_bits_in(c, s));
    }
  }
}

}  // namespace aduana
