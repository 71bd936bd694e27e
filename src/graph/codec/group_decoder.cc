#include "graph/codec/group_decoder.h"

#include <fmt/format.h>

#include <algorithm>

namespace aduana {

namespace {

// Rows and runs of them are short, and a fixed number of moves costs less than a branch that can't be predicted.
inline void copy_eight(const Node* from, Node* out) {
  struct Two {
    Node a, b;
  };
  Two two[4];
  for (int i = 0; i < 4; ++i) std::memcpy(&two[i], from + 2 * i, sizeof(Two));
  for (int i = 0; i < 4; ++i) std::memcpy(out + 2 * i, &two[i], sizeof(Two));
}

inline void copy_overrunning(const Node* from, uint64_t n, Node* out) {
  copy_eight(from, out);
  for (uint64_t i = 8; i < n; i += 8) copy_eight(from + i, out + i);
}

inline uint64_t count_less(const Node* from, Node link) {
  uint64_t n = 0;
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) n += from[i] < link;
  return n;
}

// The links that are not copied from another row.
[[gnu::always_inline]] inline bool take_rest(SymbolReader& in, Node page, bool like, uint64_t n, Node nodes,
                                             Node* out) {
  Node link = page + static_cast<uint64_t>(zigzag_decode(in.take(context::kFirst + first_kind(n, like))));
  if (link >= nodes) return false;
  *out++ = link;
  unsigned gap_context = context::kGapAtStart;
  for (Node* const end = out + (n - 1); out < end;) {
    if (gap_context == context::kZeros) [[unlikely]] {
      const uint64_t more = in.take(context::kZeros);
      if (more > static_cast<uint64_t>(end - out) || more >= nodes - link) return false;
      for (uint64_t i = 0; i < more; ++i) *out++ = ++link;
      gap_context = context::kGapAfterZeros;
      continue;
    }
    link += in.take(gap_context) + 1;
    gap_context = in.then();
    if (link >= nodes) return false;
    *out++ = link;
  }
  return true;
}

[[gnu::always_inline]] inline RowHead take_head(SymbolReader& in, unsigned& kind) {
  const PackedHead packed{static_cast<uint32_t>(in.take(context::kHead + kind))};
  const RowHead told = packed.head();
  kind = packed.kind();
  uint64_t back = told.back, runs = told.runs, rest = told.rest;
  if (packed.more()) {
    if (told.more_back()) back += in.take(context::kMoreBack);
    if (told.more_runs()) runs += in.take(context::kMoreRuns);
    if (told.more_rest()) rest += in.take(context::kMoreRest + (told.back != 0));
  }
  return {back, runs, rest};
}

}  // namespace

Status GroupDecoder::decode(uint64_t at, uint64_t end, Node first, unsigned n, bool last_only) {
  if (at == end) {
    rows_.fill({});
    return {};
  }
  const bool is_split = at < bits_ && low_bits(peek_bits(stream_, at), 1);
  const bool good = at < end && end <= bits_ &&
                    (is_split    ? split(at + 1, first, n, last_only)
                     : last_only ? plain<true>(at + 1, first, n)
                                 : plain<false>(at + 1, first, n));
  if (good) return {};
  return Error(Code::corrupt, fmt::format("the links of pages {} to {} can't be decoded", first, first + n - 1));
}

bool GroupDecoder::split(uint64_t at, Node first, unsigned n, bool last_only) {
  const auto lengths = at;
  const uint64_t rows = std::min<uint64_t>(kGroupRows, nodes_ - first);
  at += rows * kSplitLengthBits;
  uint64_t end = 0;
  for (unsigned i = 0; i < n; ++i) {
    const uint64_t length_at = lengths + uint64_t{i} * kSplitLengthBits;
    if (length_at >= bits_ || at > bits_) return false;
    rows_[i] = {};
    rows_[i].at = end;
    const bool skipped = last_only && i + 1 < n;
    if (!skipped && !alone(at, first + i, rows_[i])) return false;
    end += rows_[i].links;
    at += low_bits(peek_bits(stream_, length_at), kSplitLengthBits);
  }
  return true;
}

// A row of a split group.
bool GroupDecoder::alone(uint64_t at, Node page, Row& row) {
  SymbolReader in(tables_, stream_, bits_, at);
  unsigned kind = kHeadAtStart;
  const RowHead head = take_head(in, kind);
  if (head.back || head.rest > most_links_) return false;
  row.links = head.rest;
  if (head.rest == 0) return true;
  if (nodes_at_.size() < row.at + row.links) nodes_at_.resize(row.at + row.links);
  return take_rest(in, page, false, row.links, nodes_, nodes_at_.data() + row.at);
}

// Row i of a group. `kind`: that of the head before, and then of this one.
[[gnu::always_inline]] inline bool GroupDecoder::take_row(SymbolReader& in, Ends& ends, Node page, unsigned i,
                                                          unsigned& kind) {
  const RowHead head = take_head(in, kind);
  if (head.back > i) return false;
  Row& row = rows_[i];
  row.links = 0;  // so that a row like no other is like one without links
  uint64_t left = rows_[i - head.back].links;
  if (head.runs > left || head.runs >= kMostRuns - ends.runs || head.rest > kSplitLinks - ends.rest) return false;

  uint32_t* run = runs_.data() + ends.runs;
  uint64_t copied = 0;
  unsigned run_context = context::kFirstRun;
  for (uint64_t j = 0; j < head.runs; ++j) {
    const uint64_t length = in.take(run_context) + (j > 0);
    run_context = in.then();
    if (length > left) return false;
    *run++ = static_cast<uint32_t>(length);
    left -= length;
    copied += j % 2 ? 0 : length;
  }
  *run = static_cast<uint32_t>(left);
  copied += head.runs % 2 ? 0 : left;

  row.back = static_cast<uint32_t>(head.back);
  row.first_run = ends.runs;
  row.runs = static_cast<uint32_t>(head.runs) + 1;
  ends.runs += row.runs;
  row.first_rest = ends.rest;
  row.rest = static_cast<uint32_t>(head.rest);
  ends.rest += row.rest;
  row.links = copied + head.rest;
  if (row.links > kSplitLinks - ends.links) return false;
  ends.links += static_cast<uint32_t>(row.links);
  return head.rest == 0 || take_rest(in, page, head.back != 0, head.rest, nodes_, nodes_at_.data() + row.first_rest);
}

// The row it is like must have been built.
[[gnu::always_inline]] inline void GroupDecoder::build(unsigned i, Ends& ends) {
  Row& row = rows_[i];
  if (row.back == 0) {
    row.at = row.first_rest;
    return;
  }
  const Row& other = rows_[i - row.back];
  if (row.rest == 0 && row.runs == 1) {
    row.at = other.at;
    return;
  }
  row.at = kRoom + ends.built;
  ends.built += static_cast<uint32_t>(row.links);
  Node* const nodes = nodes_at_.data();
  Node* out = nodes + row.at;
  const Node* from = nodes + other.at;
  Node* const copied = row.rest ? nodes + 2 * kRoom : out;
  Node* copied_end = copied;
  const uint32_t* run = runs_.data() + row.first_run;
  for (const uint32_t* const end = run + row.runs; run < end; run += 2) {
    const uint64_t n = run[0];
    copy_overrunning(from, n, copied_end);
    copied_end += n;
    from += n + run[1];  // behind the last there is room for another
  }
  if (row.rest == 0) return;

  for (size_t j = 0; j < kOverrun; ++j) copied_end[j] = ~Node{0};
  const Node* at = copied;
  const Node* rest = nodes + row.first_rest;
  for (const Node* const end = rest + row.rest; rest < end; ++rest) {
    const Node link = *rest;
    while (true) {
      const uint64_t n = count_less(at, link);
      copy_eight(at, out);
      at += n;
      out += n;
      if (n < kOverrun) break;
    }
    *out++ = link;
  }
  copy_overrunning(at, static_cast<uint64_t>(copied_end - at), out);
}

template <bool last_only>
bool GroupDecoder::plain(uint64_t at, Node first, unsigned n) {
  SymbolReader in(tables_, stream_, bits_, at);
  Ends ends;
  unsigned kind = kHeadAtStart;
  for (unsigned i = 0; i < n; ++i) {
    if (!take_row(in, ends, first + i, i, kind)) return false;
    if constexpr (!last_only) build(i, ends);
  }
  if constexpr (last_only) {
    std::array<unsigned, kGroupRows> chain;
    unsigned length = 0, i = n - 1;
    for (chain[length++] = i; rows_[i].back; chain[length++] = i) i -= rows_[i].back;
    while (length > 0) build(chain[--length], ends);
  }
  return true;
}

}  // namespace aduana
