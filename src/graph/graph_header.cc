#include "graph/graph_header.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

constexpr std::string_view kMagic = "ADUANAG1";
constexpr uint32_t kVersion = 1;

}  // namespace

template <class Header>
auto GraphHeader::all_places(Header& h) {
  return std::array{&h.out.model, &h.out.offsets, &h.out.rows,     &h.in.model,       &h.in.offsets,
                    &h.in.rows,   &h.urls.names,  &h.urls.offsets, &h.urls.positions, &h.urls.nodes};
}

std::string GraphHeader::encode() const {
  std::string bytes(kMagic);
  append_be(bytes, kVersion);
  append_be(bytes, uint32_t{0});
  for (const uint64_t v : {nodes, links, body_bytes, table_checksum}) append_be(bytes, v);
  for (const ByteRange* place : all_places(*this)) {
    append_be(bytes, place->begin);
    append_be(bytes, place->end);
  }
  bytes.resize(kBytes - sizeof(uint64_t));
  append_be(bytes, checksum64(bytes));
  return bytes;
}

Result<GraphHeader> GraphHeader::decode(std::string_view file) {
  if (file.substr(0, kMagic.size()) != kMagic) {
    return Error(Code::invalid, "not a graph: make one with `aduana graph build`");
  }
  if (file.size() < kBytes) return Error(Code::corrupt, "the file is cut short: build the graph again");
  ByteReader in(file.substr(0, kBytes));
  in.bytes(kMagic.size());
  const auto version = in.be<uint32_t>();
  if (checksum64(file.substr(0, kBytes - 8)) != load_be<uint64_t>(file.data() + kBytes - 8)) {
    return Error(Code::corrupt, "the header is damaged: build the graph again");
  }
  if (version != kVersion) {
    return Error(Code::unsupported,
                 fmt::format("graph of version {}; this program reads {}: build the graph again", version, kVersion));
  }
  in.be<uint32_t>();
  GraphHeader header;
  header.nodes = in.be<uint64_t>();
  header.links = in.be<uint64_t>();
  header.body_bytes = in.be<uint64_t>();
  header.table_checksum = in.be<uint64_t>();
  const uint64_t table_bytes = (header.body_bytes + kCheckedChunk - 1) / kCheckedChunk * sizeof(uint32_t);
  if (header.body_bytes > file.size() || file.size() != kBytes + header.body_bytes + table_bytes) {
    return Error(Code::corrupt, fmt::format("{} bytes instead of {}: the file is cut short or has something behind it",
                                            file.size(), kBytes + header.body_bytes + table_bytes));
  }
  for (ByteRange* place : all_places(header)) {
    place->begin = in.be<uint64_t>();
    place->end = in.be<uint64_t>();
    if (place->begin > place->end || place->end > header.body_bytes) {
      return Error(Code::corrupt, "the header names sections that are not there");
    }
  }
  return header;
}

Result<bool> begins_like_graph(FileSystem& fs, const std::string& path) {
  ADUANA_ASSIGN(const auto file, fs.open(path, OpenMode::read));
  std::string start(GraphHeader::kBytes, '\0');
  ADUANA_ASSIGN(const size_t n, file->read_at(0, start.data(), start.size()));
  start.resize(n);
  const auto header = GraphHeader::decode(start);
  return header || header.error().code() != Code::invalid;
}

}  // namespace aduana
