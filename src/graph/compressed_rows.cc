#include "graph/compressed_rows.h"

#include <fmt/format.h>

namespace aduana {

Result<CompressedRows> CompressedRows::open(const CheckedBytes& file, const Places& places, uint64_t nodes,
                                            uint64_t links) {
  CompressedRows rows;
  rows.file_ = &file;
  rows.place_ = places.rows;
  rows.nodes_ = nodes;
  rows.links_ = links;
  ADUANA_ASSIGN(const std::string_view model_bytes, file.section(places.model));
  ByteReader in(model_bytes);
  RowModel model;
  if (!RowModel::decode(in, model) || !in.at_end()) return Error(Code::corrupt, "the model can't be decoded");
  rows.tables_ = std::make_unique<RowTables>(model);
  ADUANA_ASSIGN(const std::string_view offsets, file.section(places.offsets));
  ADUANA_ASSIGN(rows.offsets_, EliasFano::open(offsets));
  const uint64_t groups = nodes / kGroupRows + (nodes % kGroupRows ? 1 : 0);  // of any number, even a made-up one
  if (rows.offsets_.size() != groups + 1 || places.rows.size() < kBitPadding) {
    return Error(Code::corrupt, "the number of offsets is not that of the pages");
  }
  rows.stream_ = file.bytes().data() + places.rows.begin;
  rows.bits_ = rows.offsets_[groups];
  if ((rows.bits_ + 7) / 8 + kBitPadding != places.rows.size()) {
    return Error(Code::corrupt, "the offsets are not those of the rows");
  }
  return rows;
}

Status CompressedRows::decode(GroupDecoder& decoder, const ByteRange& bits, Node first, unsigned n,
                              bool last_only) const {
  if (bits.begin > bits.end || bits.end > bits_) {
    return Error(Code::corrupt, fmt::format("page {}: its offset is wrong", first));
  }
  // The decoder may look at the bytes behind a group, but not make anything of them.
  ADUANA_TRY(file_->touch(place_.begin + bits.begin / 8, place_.begin + (bits.end + 7) / 8));
  return decoder.decode(bits.begin, bits.end, first, n, last_only);
}

Result<std::span<const Node>> CompressedRows::Reader::row(Node node) {
  if (node >= rows_->nodes_) {
    return Error(Code::not_found,
                 fmt::format("there is no page {}: they end with {}", node, static_cast<int64_t>(rows_->nodes_) - 1));
  }
  const Node first = node / kGroupRows * kGroupRows;
  const auto i = static_cast<unsigned>(node - first);
  EliasFano::Cursor offsets(rows_->offsets_, node / kGroupRows);
  const uint64_t begin = offsets.next();
  ADUANA_TRY(rows_->decode(decoder_, {begin, offsets.next()}, first, i + 1, true));
  return decoder_.row(i);
}

}  // namespace aduana
