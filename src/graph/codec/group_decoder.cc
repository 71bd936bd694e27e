#include "graph/codec/group_decoder.h"

#include <fmt/format.h>

#include <algorithm>

namespace aduana {

namespace {

// The decoder writes up to so many links behind the end of a row.
constexpr size_t kOverrun = 4;

// Rows are short and so are runs of them: four at a time, up to kOverrun - 1 too many, is faster than memmove.
Node* copy_overrunning(const Node* from, const Node* end, Node* out) {
  Node* const out_end = out + (end - from);
  for (; from < end; from += kOverrun, out += kOverrun) {
    Node four[kOverrun];
    std::memcpy(four, from, sizeof four);
    std::memcpy(out, four, sizeof four);
  }
  return out_end;
}

}  // namespace

Status GroupDecoder::decode(uint64_t at, uint64_t end, Node first, unsigned n, bool last_only) {
  ends_.fill(0);
  if (at == end) return {};
  const bool is_split = at < bits_ && low_bits(peek_bits(stream_, at), 1);
  const bool good =
      at < end && end <= bits_ && (is_split ? split(at + 1, first, n, last_only) : plain(at + 1, first, 0, n));
  if (good) return {};
  return Error(Code::corrupt, fmt::format("the links of pages {} to {} can't be decoded", first, first + n - 1));
}

bool GroupDecoder::split(uint64_t at, Node first, unsigned n, bool last_only) {
  const auto lengths = at;
  const uint64_t rows = std::min<uint64_t>(kGroupRows, nodes_ - first);
  at += rows * kSplitLengthBits;
  for (unsigned i = 0; i < n; ++i) {
    const uint64_t length_at = lengths + uint64_t{i} * kSplitLengthBits;
    if (length_at >= bits_ || at > bits_) return false;
    const bool skipped = last_only && i + 1 < n;
    if (skipped) {
      ends_[i + 1] = 0;
    } else if (!plain(at, first + i, i, i + 1)) {
      return false;
    }
    at += low_bits(peek_bits(stream_, length_at), kSplitLengthBits);
  }
  return true;
}

bool GroupDecoder::take_runs(SymbolReader& reader, const RowBefore& before, uint64_t other_links) {
  SymbolReader in = reader;
  const uint64_t n = in.take(context::runs(before));
  if (n > other_links) return false;
  if (runs_.size() <= n) runs_.resize(2 * n + 1);
  uint64_t* run = runs_.data();
  uint64_t left = other_links;
  for (uint64_t i = 0; i < n; ++i) {
    *run = i ? in.take(context::later_run(i, in.width())) + 1 : in.take(context::kFirstRun);
    if (*run > left) return false;
    left -= *run++;
  }
  *run = left;
  n_runs_ = n + 1;
  reader = in;
  return true;
}

bool GroupDecoder::take_rest(SymbolReader& reader, Node page, bool like, uint64_t n, Node* out) const {
  if (n == 0) return true;
  SymbolReader in = reader;
  const Node nodes = nodes_;
  Node link = page + static_cast<uint64_t>(zigzag_decode(in.take(context::first(n, like))));
  if (link >= nodes) return false;
  *out++ = link;
  unsigned gap_context = context::kGapAtStart;
  unsigned zeros = 0;
  for (uint64_t left = n - 1; left > 0;) {
    const uint64_t gap = in.take(gap_context);
    link += gap + 1;
    if (link >= nodes) return false;
    *out++ = link;
    --left;
    gap_context = context::gap_after(in.width());
    zeros = gap ? 0 : zeros + 1;
    if (zeros < kZerosToARun) continue;
    const uint64_t more = in.take(context::kZeros);
    if (more > left || more >= nodes - link) return false;
    for (uint64_t i = 0; i < more; ++i) *out++ = ++link;
    left -= more;
    gap_context = context::kGapAfterZeros;
    zeros = 0;
  }
  reader = in;
  return true;
}

Node* GroupDecoder::merge(const Node* from, std::span<const Node> rest, Node* out) const {
  const Node* next = rest.data();
  const Node* const rest_end = next + rest.size();
  for (size_t i = 0; i < n_runs_; from += runs_[i], ++i) {
    if (i % 2) continue;
    const Node* const end = from + runs_[i];
    const Node* at = from;
    while (at < end && next < rest_end) {  // which of the two is next can't be predicted: no branch for it
      const Node a = *at, b = *next;
      const bool other = b < a;
      *out++ = other ? b : a;
      next += other;
      at += !other;
    }
    out = copy_overrunning(at, end, out);
  }
  return copy_overrunning(next, rest_end, out);
}

// Rows [from, to) of the group, which know nothing of those before them.
bool GroupDecoder::plain(uint64_t at, Node first, unsigned from, unsigned to) {
  SymbolReader in(tables_, stream_, bits_, at);
  RowBefore before;
  Node page = first;
  for (unsigned i = from; i < to; ++i, ++page) {
    const uint64_t begin = ends_[i];
    const uint64_t likeness = in.take(context::likeness(before));
    if (likeness == 0) {
      ends_[i + 1] = begin;
      before = {};
      continue;
    }
    const uint64_t back = likeness - 1;
    if (back > i - from) return false;
    const unsigned other = i - static_cast<unsigned>(back);
    const uint64_t other_links = back ? ends_[other + 1] - ends_[other] : 0;
    if (back && !take_runs(in, before, other_links)) return false;
    const uint64_t n_rest = in.take(context::rest(before, back != 0)) + (back ? 0 : 1);
    if (n_rest > most_links_) return false;
    const uint64_t room = begin + other_links + n_rest + kOverrun;
    if (links_.size() < room) links_.resize(2 * room);
    Node* const out = links_.data() + begin;
    if (back) {
      if (rest_.size() < n_rest + kOverrun) rest_.resize(2 * n_rest + kOverrun);
      if (!take_rest(in, page, true, n_rest, rest_.data())) return false;
      const Node* const end = merge(links_.data() + ends_[other], {rest_.data(), n_rest}, out);
      ends_[i + 1] = begin + static_cast<uint64_t>(end - out);
    } else {
      if (!take_rest(in, page, false, n_rest, out)) return false;
      ends_[i + 1] = begin + n_rest;
    }
    before = before_next(static_cast<unsigned>(back), n_rest, ends_[i + 1] - begin);
  }
  return true;
}

}  // namespace aduana
