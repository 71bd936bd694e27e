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
      : tables_(tables),
        stream_(stream),
        bits_(bits),
        nodes_(nodes),
        most_links_(std::min(nodes, links)),
        runs_(kMostRuns + 1),
        nodes_at_(kCopied + kRoom) {}

  // The group that begins at bit `at` and page `first`: its first `n` rows, of which only the last may be looked at if
  // `last_only`. The rows are good until the next call.
  Status decode(uint64_t at, uint64_t end, Node first, unsigned n, bool last_only);

  std::span<const Node> row(unsigned i) const { return {nodes_at_.data() + rows_[i].at, rows_[i].links}; }

 private:
  // Rows are written and read in steps of so many links, up to one less than that behind their ends.
  static constexpr uint32_t kOverrun = 8;
  // What a group that is not split can have: no more runs than twice its links, and one more a row.
  static constexpr uint32_t kRoom = kSplitLinks + 2 * kOverrun;
  static constexpr uint32_t kMostRuns = 2 * (kSplitLinks + kGroupRows);
  // Where in nodes_at_ a row's copied links wait for the rest of it. Before that are the rest of each row, and the
  // rows: a row that makes them too many is noticed when it was written.
  static constexpr uint32_t kCopied = 3 * kRoom;

  struct Head {
    uint64_t back, runs, rest;
    unsigned first;  // the context of the first link
    unsigned kind;
  };
  // How much there is so far of the rows of a group.
  struct Ends {
    uint32_t runs = 0, rest = 0;
    unsigned kind = kHeadAtStart;  // of the last head
  };
  // A row as it was told, and where it is in nodes_at_ once it was built.
  struct Row {
    uint64_t at = 0;
    uint64_t links = 0;
    uint32_t back = 0;
    uint32_t first_run = 0, runs = 0;  // in runs_
    uint32_t first_rest = 0, rest = 0;
  };

  // Of the group that begins with `first`.
  unsigned rows_from(Node first) const { return static_cast<unsigned>(std::min<uint64_t>(kGroupRows, nodes_ - first)); }

  Head take_head(SymbolReader& in, unsigned kind);
  bool take_row(SymbolReader& in, Ends& ends, Node page, unsigned i);
  bool take_rest(SymbolReader& in, Node page, unsigned context, uint64_t n, Node* out);
  bool build(unsigned i, uint64_t& built);
  template <bool last_only>
  bool plain(uint64_t at, Node first, unsigned n);
  bool alone(uint64_t at, Node page, Row& row);
  bool split(uint64_t at, Node first, unsigned n, bool last_only);

  const RowTables& tables_;
  const char* const stream_;
  const uint64_t bits_;
  const uint64_t nodes_;
  const uint64_t most_links_;  // of one row
  std::array<Row, kGroupRows> rows_;
  std::vector<uint32_t> runs_;
  std::vector<Node> nodes_at_;  // the rest of each row, the rows, what one of them copies; or the rows of a split group
};

}  // namespace aduana
