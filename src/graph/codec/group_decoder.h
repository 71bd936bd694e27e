// Turns the bits of a group back into rows: all of them, or those up to the one that is asked for.
//
// Used by one thread; the tables are shared. Of damaged bits it makes an error or other rows, never a read or write out
// of bounds, nor a page that is not there.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "aduana/result.h"
#include "graph/codec/group_encoder.h"
#include "graph/codec/symbol_reader.h"

namespace aduana {

class GroupDecoder {
 public:
  // `stream` has `bits` bits, and kBitPadding bytes behind them. The graph has so many nodes and links.
  GroupDecoder(const RowTables& tables, const char* stream, uint64_t bits, uint64_t nodes, uint64_t links)
      : tables_(tables), stream_(stream), bits_(bits), nodes_(nodes), most_links_(std::min(nodes, links)) {}

  // The group that begins at bit `at` and page `first`: its first `n` rows, of which only the last may be looked at if
  // `last_only`. The rows are good until the next call.
  Status decode(uint64_t at, uint64_t end, Node first, unsigned n, bool last_only);

  std::span<const Node> row(unsigned i) const { return {links_.data() + ends_[i], ends_[i + 1] - ends_[i]}; }

 private:
  bool take_runs(SymbolReader& reader, const RowBefore& before, uint64_t other_links);
  bool take_rest(SymbolReader& reader, Node page, bool like, uint64_t n, Node* out) const;
  bool plain(uint64_t at, Node first, unsigned from, unsigned to);
  bool split(uint64_t at, Node first, unsigned n, bool last_only);
  // What runs_ says of the row at `from`, and `rest`, in order; returns the end.
  Node* merge(const Node* from, std::span<const Node> rest, Node* out) const;

  const RowTables& tables_;
  const char* const stream_;
  const uint64_t bits_;
  const uint64_t nodes_;
  const uint64_t most_links_;  // of one row
  std::vector<Node> links_;    // of the rows so far, and room for more
  std::vector<Node> rest_;
  std::vector<uint64_t> runs_;
  uint64_t n_runs_ = 0;                          // with the last one
  std::array<uint64_t, kGroupRows + 1> ends_{};  // ends_[i + 1] is that of row i
};

}  // namespace aduana
