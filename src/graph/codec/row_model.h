// The model of rows: in what terms a row of links is said, and how likely each term is.
//
// Rows come in groups of kGroupRows, which know nothing of each other. A row is said as
//   likeness    0: it has no links; 1: it is like no other row; n + 1: it is like the row n before it
//   if like one: how many runs of that row's links, beginning with a copied one and then alternately left out and
//               copied, are to be told; their lengths; the last run reaches to the end and is not told
//   rest        how many links are not copied (less one, if it is like no other row)
//   if any:     the first of them relative to the page itself, zig-zag; then the gaps between them, less one.
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
#include "graph/node.h"

namespace aduana {

inline constexpr unsigned kGroupRows = 16;
inline constexpr unsigned kZerosToARun = 3;

// A number as far as contexts look at it: how many bits it has.
inline unsigned width_of(uint64_t v) { return static_cast<unsigned>(std::bit_width(v)); }

// What the next row's contexts depend on; all zero at the start of a group.
struct RowBefore {
  unsigned likeness = 0;
  unsigned rest_width = 0;
  unsigned links_width = 0;
};

// The contexts, numbered; each comment says what it depends on.
namespace context {
inline constexpr unsigned kLikeness = 0;                  // that of the row before
inline constexpr unsigned kRuns = kLikeness + 4;          // whether the row before was like another
inline constexpr unsigned kFirstRun = kRuns + 2;          //
inline constexpr unsigned kLeftOutRun = kFirstRun + 1;    // the run before
inline constexpr unsigned kCopiedRun = kLeftOutRun + 6;   // the run before
inline constexpr unsigned kRestOfRow = kCopiedRun + 6;    // links of the row before
inline constexpr unsigned kRestOfLike = kRestOfRow + 12;  // rest of the row before
inline constexpr unsigned kFirst = kRestOfLike + 12;      // how many there are
inline constexpr unsigned kFirstOfLike = kFirst + 8;      // how many there are
inline constexpr unsigned kGap = kFirstOfLike + 8;        // the gap before
inline constexpr unsigned kZeros = kGap + 13;             //
inline constexpr unsigned kContexts = kZeros + 1;

inline unsigned likeness(const RowBefore& before) { return kLikeness + std::min(before.likeness, 3u); }
inline unsigned runs(const RowBefore& before) { return kRuns + (before.likeness > 1 ? 1 : 0); }
inline unsigned later_run(size_t number, unsigned width_before) {
  return (number % 2 ? kLeftOutRun : kCopiedRun) + std::min(width_before, 5u);
}
inline unsigned rest(const RowBefore& before, bool like) {
  return like ? kRestOfLike + std::min(before.rest_width, 11u) : kRestOfRow + std::min(before.links_width, 11u);
}
inline unsigned first(uint64_t rest, bool like) {
  return (like ? kFirstOfLike : kFirst) + std::min(width_of(rest), 7u);
}

inline constexpr unsigned kGapAtStart = kGap + 6;
inline constexpr unsigned kGapAfterZeros = kGap + 12;
inline unsigned gap_after(unsigned width) { return kGap + (width ? std::min(width, 10u) + 1 : 0); }
}  // namespace context

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
  std::array<std::array<float, kTokens>, context::kContexts> bits_;
};

}  // namespace aduana
