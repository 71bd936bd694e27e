#include "graph/codec/group_encoder.h"

#include <algorithm>

namespace aduana {

namespace {

// What it is worth, in bits, to spare a reader the making of a row from another one: nothing is to be made if the two
// are the same. (docs/decisions/004 has the figures.)
float time_to_make(const RowSplit& split) {
  if (split.runs.empty() && split.rest.empty()) return 0;
  return 6 + 1.0f * static_cast<float>(split.runs.size()) + 0.5f * static_cast<float>(split.rest.size());
}

}  // namespace

GroupEncoder::GroupEncoder(const RowModel& model) : costs_(model) {
  tables_.reserve(context::kContexts);
  for (unsigned c = 0; c < context::kContexts; ++c) tables_.emplace_back(model.shares(c));
}

template <class Sink>
void GroupEncoder::say_group(const RowBatch& rows, size_t from, size_t to, Node first, Sink&& sink) {
  unsigned kind = kHeadAtStart;
  for (size_t i = from; i < to; ++i) {
    const Node page = first + (i - from);
    const std::span<const Node> row = rows.row(i);
    float least = 0;
    unsigned chosen = 0;
    for (unsigned back = 0; back <= i - from; ++back) {
      if (back && (row.empty() || rows.row(i - back).empty())) continue;
      split_.split(row, back ? rows.row(i - back) : std::span<const Node>());
      float cost = 0;
      say_row(page, back, split_, kind,
              [&](unsigned context, const Token& token) { cost += costs_(context, token.symbol); });
      if (back) cost += time_to_make(split_);
      if (back && cost >= least) continue;
      least = cost;
      chosen = back;
      std::swap(split_, best_);
    }
    say_row(page, chosen, best_, kind, sink);
    kind = kind_of_head(RowHead{chosen, best_.runs.size(), best_.rest.size()}.symbol());
  }
}

void GroupEncoder::count(const RowBatch& rows, size_t from, size_t to, Node first, RowCounts& counts) {
  const auto count_group = [&](size_t begin, size_t end) {
    say_group(rows, begin, end, first + (begin - from),
              [&](unsigned context, const Token& token) { ++counts[context][token.symbol]; });
  };
  const uint64_t links = rows.links_in(from, to);
  if (links == 0) return;
  if (links <= kSplitLinks) return count_group(from, to);
  for (size_t i = from; i < to; ++i) count_group(i, i + 1);
}

void GroupEncoder::encode(const RowBatch& rows, size_t from, size_t to, Node first, BitWriter& out) {
  const uint64_t links = rows.links_in(from, to);
  if (links == 0) return;
  if (links <= kSplitLinks) {
    out.put(0, 1);
    return encode_plain(rows, from, to, first, out);
  }
  out.put(1, 1);
  BitWriter all;
  for (size_t i = from; i < to; ++i) {
    alone_.clear();
    encode_plain(rows, i, i + 1, first + (i - from), alone_);
    out.put(alone_.bits(), kSplitLengthBits);
    all.append(alone_);
  }
  out.append(all);
}

void GroupEncoder::encode_plain(const RowBatch& rows, size_t from, size_t to, Node first, BitWriter& out) {
  said_.clear();
  say_group(rows, from, to, first, [&](unsigned context, const Token& token) { said_.push_back({context, token}); });
  pieces_.clear();
  // The last symbol is found in the state that takes the fewest bits.
  unsigned state = 0;
  for (size_t i = said_.size(); i-- > 0;) {
    const AnsEncodeTable& table = tables_[said_[i].context];
    const Token& token = said_[i].token;
    const bool escaped = !table.has(token.symbol);
    const unsigned symbol = escaped ? kEscape : token.symbol;
    pieces_.push_back({token.extra, token.extra_bits});
    if (escaped) pieces_.push_back({token.symbol, kEscapedBits});
    unsigned value = 0;
    int bits = 0;
    state = table.step(symbol, state, &value, &bits);
    // Where the last symbol leads to is of no interest.
    const bool left_out = i + 1 == said_.size() && !escaped && !token.extra_bits;
    if (!left_out) pieces_.push_back({value, bits});
  }
  out.put(state, kAnsBits);
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) out.put(piece->value, piece->bits);
}

}  // namespace aduana
