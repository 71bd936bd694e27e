// Turns a group of rows into bits (row_model.h says in what terms), each row in terms of the row before it in the group
// with which that is cheapest, or of none. Cheap is what takes few bits and little time to decode.
//
//   group:   nothing at all if no row has a link, else one bit: 0 plain, 1 split
//   plain:   state (kAnsBits) | for each symbol: the bits that lead to the next state, the bits that go with it;
//            the former are left out after the last symbol if none go with it
//   split:   for each row its length in bits (kSplitLengthBits) | each row as a plain group of its own, without that
//            first bit. So groups with very long rows are written: whoever wants a short row of it has not to read
//            them.
#pragma once

#include <span>
#include <vector>

#include "graph/codec/bit_stream.h"
#include "graph/codec/row_model.h"
#include "graph/codec/row_split.h"

namespace aduana {

inline constexpr uint64_t kSplitLinks = 16384;  // a group with more links is split
inline constexpr int kSplitLengthBits = 44;

// Rows of one group, or of many, one after the other.
struct RowBatch {
  std::vector<Node> links;
  std::vector<uint64_t> ends;  // of each row, in `links`

  size_t size() const { return ends.size(); }
  std::span<const Node> row(size_t i) const {
    const uint64_t begin = i ? ends[i - 1] : 0;
    return {links.data() + begin, ends[i] - begin};
  }
  uint64_t links_in(size_t from, size_t to) const { return (to ? ends[to - 1] : 0) - (from ? ends[from - 1] : 0); }
  void clear() {
    links.clear();
    ends.clear();
  }
};

// Used by one thread.
class GroupEncoder {
 public:
  explicit GroupEncoder(const RowModel& model);

  // Rows [from, to) of `rows`, the first of which is that of page `first`.
  void encode(const RowBatch& rows, size_t from, size_t to, Node first, BitWriter& out);
  // Counts the symbols that encode() would write.
  void count(const RowBatch& rows, size_t from, size_t to, Node first, RowCounts& counts);

 private:
  template <class Sink>
  void say_group(const RowBatch& rows, size_t from, size_t to, Node first, Sink&& sink);
  void encode_plain(const RowBatch& rows, size_t from, size_t to, Node first, BitWriter& out);

  struct Said {
    unsigned context;
    Token token;
  };
  struct Piece {
    uint64_t value;
    int bits;
  };
  RowCosts costs_;
  std::vector<AnsEncodeTable> tables_;
  RowSplit split_, best_;
  std::vector<Said> said_;
  std::vector<Piece> pieces_;  // from the last to the first
  BitWriter alone_;
};

}  // namespace aduana
