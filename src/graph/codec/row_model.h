// The model of rows: in what terms a row of links is said, and how likely each term is.
//
// Rows come in groups of kGroupRows, which know nothing of each other. A row is said as
//   head        how many rows before it the other is that it is like (0: it is like none), how many runs of that one's
//               links are to be told, how many links are not copied from it (the rest): see row_head.h
//   if like one: the lengths of those runs, the first one copied and then alternately left out and copied; the last run
//               reaches to the end of the other row and is not told
//   if any rest: the first of them relative to the page itself, zig-zag; then the gaps between them, less one.
//               After kZerosToARun zeros in a row: how many more follow.
// Each number becomes a Token, written with the distribution of its context: what it means, and how large the ones
// before it were. The distributions are learned from the graph and stored with it (docs/formats/graph.md).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/codec/ans.h"
#include "graph/codec/row_head.h"
#include "graph/node.h"

namespace aduana {

inline constexpr unsigned kGroupRows = 12;
inline constexpr unsigned kZerosToARun = 3;

// The contexts, numbered; each comment says what it depends on. Few and small, so that the tables of those that are
// used most stay in the processor's nearest cache.
namespace context {
inline constexpr unsigned kHead = 0;                           // the head before
inline constexpr unsigned kMoreBack = kHead + kHeadKinds;      //
inline constexpr unsigned kMoreRuns = kMoreBack + 1;           //
inline constexpr unsigned kMoreRest = kMoreRuns + 1;           // whether it is like another
inline constexpr unsigned kFirstRun = kMoreRest + 2;           //
inline constexpr unsigned kLeftOutRun = kFirstRun + 1;         // the run before
inline constexpr unsigned kCopiedRun = kLeftOutRun + 3;        // the run before
inline constexpr unsigned kFirst = kCopiedRun + 3;             // how many there are, whether it is like another
inline constexpr unsigned kGapAtStart = kFirst + kFirstKinds;  //
inline constexpr unsigned kGap = kGapAtStart + 1;              // the gap before
inline constexpr unsigned kGapAfterZeros = kGap + 9;           //
inline constexpr unsigned kZeros = kGapAfterZeros + 1;         //
inline constexpr unsigned kContexts = kZeros + 1;

inline bool is_head(unsigned context) { return context < kMoreBack; }
// Of the run or link after one that was told as `v` in this context.
unsigned after(unsigned context, uint64_t v);
}  // namespace context

// A head as a symbol and the bits that go with it, as numbers are; how many these are.
inline Token token_of(const RowHead& head) {
  const unsigned symbol = head.symbol();
  const int bits = RowHead::extra_bits(symbol);
  return {symbol, bits, bits ? head.rest - RowHead::of(symbol).rest : 0};
}
inline int extra_bits_in(unsigned context, unsigned symbol) {
  if (context::is_head(context)) return RowHead::extra_bits(symbol);
  return symbol < kDirectTokens ? 0 : extra_bits_of(symbol);
}
static_assert(kHeadSymbols <= kEscape && kTokens <= kEscape);

using RowCounts = std::array<AnsCounts, context::kContexts>;

// The distributions, and what can be made of them.
class RowModel {
 public:
  // One to begin with, before anything was counted: small numbers are likelier.
  RowModel();
  explicit RowModel(const RowCounts& counts);

  void encode(std::string& out) const;
  static bool decode(ByteReader& in, RowModel& model);

  const AnsShares& shares(unsigned context) const { return shares_[context]; }

 private:
  std::array<AnsShares, context::kContexts> shares_;
};

// What each symbol costs, in bits, with those that are written as they are.
class RowCosts {
 public:
  explicit RowCosts(const RowModel& model);
  float operator()(unsigned context, unsigned symbol) const { return bits_[context][symbol]; }

 private:
  std::array<std::array<float, kEscape>, context::kContexts> bits_;
};

}  // namespace aduana
