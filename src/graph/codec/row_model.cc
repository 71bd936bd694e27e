#include "graph/codec/row_model.h"

#include <cmath>

namespace aduana {

RowModel::RowModel() {
  AnsCounts counts{};
  for (unsigned s = 0; s < kTokens; ++s) counts[s] = 1'000'000 / ((s + 1) * (s + 1));
  shares_.fill(shares_for(counts));
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
    for (unsigned s = 0; s < kTokens; ++s) {
      bits_[c][s] = (shares[s] ? bits(s) : bits(kEscape) + kEscapedBits) +
                    static_cast<float>(s < kDirectTokens ? 0 : extra_bits_of(s));
    }
  }
}

}  // namespace aduana
