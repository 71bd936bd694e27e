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

// The n links after `link`.
inline void count_up_overrunning(Node link, uint64_t n, Node* out) {
  for (uint64_t i = 0; i < n; i += 8) {
#pragma GCC unroll 8
    for (uint64_t j = 0; j < 8; ++j) out[i + j] = link + i + j + 1;
  }
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
  at += uint64_t{rows_from(first)} * kSplitLengthBits;
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
  const Head head = take_head(in, kHeadAtStart);
  if (head.back || head.rest > most_links_) return false;
  row.links = head.rest;
  if (row.links == 0) return true;
  if (nodes_at_.size() < row.at + row.links + kOverrun) nodes_at_.resize(row.at + row.links + kOverrun);
  return take_rest(in, page, head.first, row.links, nodes_at_.data() + row.at);
}

[[gnu::always_inline]] inline GroupDecoder::Head GroupDecoder::take_head(SymbolReader& in, unsigned kind) {
  const PackedHead packed{static_cast<uint32_t>(in.take(context::kHead + kind))};
  const RowHead told = packed.head();
  Head head{told.back, told.runs, told.rest, context::kFirst + packed.first(), in.then() - context::kHead};
  if (packed.more()) [[unlikely]] {
    if (told.more_back()) head.back += in.take(context::kMoreBack);
    if (told.more_runs()) head.runs += in.take(context::kMoreRuns);
    if (told.more_rest()) head.rest += in.take(context::kMoreRest + (told.back != 0));
  }
  return head;
}

// The links that are not copied from another row: n of them.
[[gnu::always_inline]] inline bool GroupDecoder::take_rest(SymbolReader& in, Node page, unsigned context, uint64_t n,
                                                           Node* out) {
  const Node nodes = nodes_;
  Node link = page + static_cast<uint64_t>(zigzag_decode(in.take(context)));
  Node last = link;
  Node* const end = out + n;
  for (*out++ = link; out < end;) {
    if (in.at_last_context()) [[unlikely]] {
      static_assert(context::kZeros == context::kContexts - 1);
      const uint64_t more = in.take();
      if (more > static_cast<uint64_t>(end - out) || last >= nodes || more >= nodes - link) return false;
      count_up_overrunning(link, more, out);
      link += more;
      out += more;
      continue;
    }
    link += in.take() + 1;
    last = std::max(last, link);
    *out++ = link;
  }
  return last < nodes;
}

// Row i of a group.
[[gnu::always_inline]] inline bool GroupDecoder::take_row(SymbolReader& in, Ends& ends, Node page, unsigned i) {
  const Head head = take_head(in, ends.kind);
  ends.kind = head.kind;
  if (head.back > i || head.runs > kMostRuns - ends.runs || head.rest > kSplitLinks - ends.rest) return false;
  Row& row = rows_[i];
  row.back = static_cast<uint32_t>(head.back);
  row.first_run = ends.runs;
  row.runs = static_cast<uint32_t>(head.runs);
  row.first_rest = ends.rest;
  row.rest = static_cast<uint32_t>(head.rest);
  if (head.runs) {
    uint32_t* run = runs_.data() + ends.runs;
    *run++ = static_cast<uint32_t>(in.take(context::kFirstRun));
    for (uint32_t* const end = run + (head.runs - 1); run < end;) *run++ = static_cast<uint32_t>(in.take()) + 1;
    ends.runs += row.runs;
  }
  ends.rest += row.rest;
  return head.rest == 0 || take_rest(in, page, head.first, head.rest, nodes_at_.data() + row.first_rest);
}

// The row it is like must have been built.
[[gnu::always_inline]] inline bool GroupDecoder::build(unsigned i, uint64_t& built) {
  Row& row = rows_[i];
  if (row.back == 0) {
    row.at = row.first_rest;
    row.links = row.rest;
    return row.runs == 0;
  }
  const Row& other = rows_[i - row.back];
  if (row.rest + row.runs == 0) {
    row.at = other.at;
    row.links = other.links;
    return true;
  }
  Node* const nodes = nodes_at_.data();
  row.at = kRoom + built;
  Node* out = nodes + row.at;
  const Node* from = nodes + other.at;
  uint64_t left = other.links;
  Node* const copied = row.rest ? nodes + kCopied : out;
  Node* copied_end = copied;
  const uint32_t* run = runs_.data() + row.first_run;
  for (const uint32_t* const end = run + row.runs / 2 * 2; run < end; run += 2) {
    const uint64_t n = run[0], left_out = run[1];
    if (n + left_out > left) return false;
    copy_overrunning(from, n, copied_end);
    copied_end += n;
    from += n + left_out;
    left -= n + left_out;
  }
  const uint64_t last = row.runs % 2 ? *run : left;
  if (last > left) return false;
  copy_overrunning(from, last, copied_end);
  copied_end += last;
  row.links = static_cast<uint64_t>(copied_end - copied) + row.rest;
  built += row.links;
  if (built > kSplitLinks) return false;
  if (row.rest == 0) return true;

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
  return true;
}

template <bool last_only>
bool GroupDecoder::plain(uint64_t at, Node first, unsigned n) {
  SymbolReader in(tables_, stream_, bits_, at);
  Ends ends;
  uint64_t built = 0;
  for (unsigned i = 0; i < n; ++i) {
    if (!take_row(in, ends, first + i, i)) return false;
    if constexpr (!last_only) {
      if (!build(i, built)) return false;
    }
  }
  if constexpr (last_only) {
    std::array<unsigned, kGroupRows> chain;
    unsigned length = 0, i = n - 1;
    for (chain[length++] = i; rows_[i].back; chain[length++] = i) i -= rows_[i].back;
    while (length > 0) {
      if (!build(chain[--length], built)) return false;
    }
  }
  return true;
}

}  // namespace aduana
