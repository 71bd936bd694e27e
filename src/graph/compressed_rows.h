// One direction of a compressed graph: for every page its links, sorted. Rows are read in order, or any of them by
// itself, straight from the mapped bytes. (How a group of rows is written: group_encoder.h.)
//
// Immutable; used by any number of threads, each with a Reader of its own.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "graph/checked_bytes.h"
#include "graph/codec/elias_fano.h"
#include "graph/codec/group_decoder.h"
#include "graph/node.h"

namespace aduana {

class CompressedRows {
 public:
  struct Places {
    ByteRange model, offsets, rows;
    uint64_t bytes() const { return model.size() + offsets.size() + rows.size(); }
  };

  static Result<CompressedRows> open(const CheckedBytes& file, const Places& places, uint64_t nodes, uint64_t links);

  uint64_t nodes() const { return nodes_; }
  uint64_t links() const { return links_; }

  // Any row; for one thread. Views are good until the next call.
  class Reader {
   public:
    explicit Reader(const CompressedRows& rows) : rows_(&rows), decoder_(rows.decoder()) {}
    Result<std::span<const Node>> row(Node node);

   private:
    const CompressedRows* rows_;
    GroupDecoder decoder_;
  };

  // Calls visit(node, links) for every node in [begin, end), in order; the links are good until it returns.
  template <class Visit>
  Status for_each_row(Node begin, Node end, Visit&& visit) const {
    if (begin >= end) return {};
    GroupDecoder decoder = this->decoder();
    EliasFano::Cursor offsets(offsets_, begin / kGroupRows);
    uint64_t group_end = offsets.next();
    for (Node first = begin / kGroupRows * kGroupRows; first < end; first += kGroupRows) {
      const auto n = static_cast<unsigned>(std::min<uint64_t>(kGroupRows, end - first));
      const uint64_t group_begin = std::exchange(group_end, offsets.next());
      ADUANA_TRY(decode(decoder, {group_begin, group_end}, first, n, false));
      for (unsigned i = first < begin ? static_cast<unsigned>(begin - first) : 0; i < n; ++i) {
        visit(first + i, decoder.row(i));
      }
    }
    return {};
  }

 private:
  GroupDecoder decoder() const { return {*tables_, stream_, bits_, nodes_, links_}; }
  // The group at these bits.
  Status decode(GroupDecoder& decoder, const ByteRange& bits, Node first, unsigned n, bool last_only) const;

  const CheckedBytes* file_ = nullptr;
  ByteRange place_;  // of the rows
  uint64_t nodes_ = 0, links_ = 0;
  std::unique_ptr<RowTables> tables_;
  EliasFano offsets_;  // of each group, in bits, and of the end
  const char* stream_ = nullptr;
  uint64_t bits_ = 0;
};

}  // namespace aduana
