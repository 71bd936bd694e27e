#include "graph/names/url_table.h"

#include <fmt/format.h>

#include "graph/names/front_coding.h"
#include "graph/names/name_key.h"

namespace aduana {
namespace {

constexpr const char* kRemedy = "build the graph again";

Error bad_block(uint64_t number) {
  return {Code::corrupt, fmt::format("URLs of the graph: block {} can't be decoded; {}", number, kRemedy)};
}

bool within(const ByteRange& range, uint64_t bytes) { return range.begin <= range.end && range.end <= bytes; }

// The place in a block of the first key that is not before `key`, and whether it is `key`. The place is one past the
// last if there is none. No key is put together: if more of one is shared with the key before than that had in common
// with `key`, it is on the same side of `key`; if less, it is behind.
struct Place {
  uint64_t number = 0;
  bool equal = false;
};
std::optional<Place> place_in_block(std::string_view block, uint64_t keys, std::string_view key) {
  ByteReader in(block);
  size_t common = 0;  // of `key` and the key before
  uint64_t size = 0;  // of the key before
  for (uint64_t i = 0; i < keys; ++i) {
    const uint64_t shared = i ? in.varint() : 0;
    const std::string_view rest = in.sized();
    if (!in.ok() || shared > size) return {};
    size = shared + rest.size();
    if (shared < common) return Place{i, false};
    if (shared > common) continue;
    const std::string_view wanted = key.substr(common);
    const size_t more = common_prefix(wanted, rest);
    if (more == wanted.size()) return Place{i, more == rest.size()};
    if (more < rest.size() && static_cast<uint8_t>(wanted[more]) < static_cast<uint8_t>(rest[more])) {
      return Place{i, false};
    }
    common += more;
  }
  return Place{keys, false};
}

// Makes `key` the next of a block.
bool read_key(ByteReader& in, bool first, std::string& key) {
  if (!first) return read_front_coded(in, key);
  key = in.sized();
  return in.ok();
}

}  // namespace

Result<UrlTable> UrlTable::open(const CheckedBytes& file, const Places& places, uint64_t nodes) {
  const Error bad(Code::corrupt,
                  fmt::format("URLs of the graph: their sections do not fit the {} nodes; {}", nodes, kRemedy));
  const uint64_t size = file.bytes().size();
  for (const ByteRange& range : {places.names, places.offsets, places.positions, places.nodes}) {
    if (!within(range, size)) return bad;
  }
  if (nodes > places.names.size()) return bad;  // a key takes a byte at least; and so no product below overflows
  UrlTable table;
  table.file_ = &file;
  table.places_ = places;
  table.nodes_ = nodes;
  ADUANA_ASSIGN(const std::string_view offsets, file.section(places.offsets));
  ADUANA_ASSIGN(table.offsets_, EliasFano::open(offsets));
  if (table.offsets_.size() != table.blocks() + 1 || table.offsets_[table.blocks()] != places.names.size()) return bad;
  if (places.positions.size() || places.nodes.size()) {
    if (places.positions.size() != PackedArray::bytes_for(nodes) || places.nodes.size() != places.positions.size()) {
      return bad;
    }
    table.positions_.emplace(file, places.positions.begin, nodes);
    table.nodes_at_.emplace(file, places.nodes.begin, nodes);
  }
  return table;
}

Result<std::string_view> UrlTable::block(uint64_t number) const {
  EliasFano::Cursor offsets(offsets_, number);
  const uint64_t begin = offsets.next(), end = offsets.next();
  if (!within({begin, end}, places_.names.size())) return bad_block(number);
  return file_->section({places_.names.begin + begin, places_.names.begin + end});
}

Result<std::string_view> UrlTable::first_key(uint64_t number) const {
  ADUANA_ASSIGN(const std::string_view bytes, block(number));
  ByteReader in(bytes);
  const std::string_view key = in.sized();
  if (!in.ok()) return bad_block(number);
  return key;
}

Result<Node> UrlTable::node_at(uint64_t position) const {
  if (renumbered()) return position;
  ADUANA_ASSIGN(const Node node, nodes_at_->get(position));
  if (node < nodes_) return node;
  return Error(Code::corrupt, fmt::format("URLs of the graph: position {} has node {}, which there is not; {}",
                                          position, node, kRemedy));
}

Result<uint64_t> UrlTable::position_of(Node node) const {
  if (renumbered()) return node;
  ADUANA_ASSIGN(const uint64_t position, positions_->get(node));
  if (position < nodes_) return position;
  return Error(Code::corrupt, fmt::format("URLs of the graph: node {} has position {}, which there is not; {}", node,
                                          position, kRemedy));
}

Result<std::string> UrlTable::url(Node node) const {
  if (node >= nodes_) return Error(Code::not_found, fmt::format("no node {}: there are {}", node, nodes_));
  ADUANA_ASSIGN(const uint64_t position, position_of(node));
  const uint64_t number = position / kUrlsToABlock;
  ADUANA_ASSIGN(const std::string_view bytes, block(number));
  ByteReader in(bytes);
  std::string key;
  for (uint64_t i = 0; i <= position % kUrlsToABlock; ++i) {
    if (!read_key(in, i == 0, key)) return bad_block(number);
  }
  return url_of_key(key);
}

// The position of the first key that equals `key`.
Result<std::optional<uint64_t>> UrlTable::find_key(std::string_view key) const {
  // The first block that begins with `key` or a later one: the key is in the block before, or is the first in this one.
  uint64_t first = 0, last = blocks();
  while (first < last) {
    const uint64_t middle = first + (last - first) / 2;
    ADUANA_ASSIGN(const std::string_view begin, first_key(middle));
    if (begin < key) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  if (first > 0) {
    ADUANA_ASSIGN(const std::string_view bytes, block(first - 1));
    const std::optional<Place> place = place_in_block(bytes, keys_in(first - 1), key);
    if (!place) return bad_block(first - 1);
    if (place->equal) return std::optional((first - 1) * kUrlsToABlock + place->number);
    if (place->number < kUrlsToABlock) return std::optional<uint64_t>();
  }
  if (first == blocks()) return std::optional<uint64_t>();
  ADUANA_ASSIGN(const std::string_view begin, first_key(first));
  return begin == key ? std::optional(first * kUrlsToABlock) : std::nullopt;
}

Result<std::optional<Node>> UrlTable::find(std::string_view url) const {
  ADUANA_ASSIGN(const std::optional<uint64_t> position, find_key(name_key(url)));
  if (!position) return std::optional<Node>();
  ADUANA_ASSIGN(const Node node, node_at(*position));
  return std::optional(node);
}

// `key` is the last one before the block, and the last one in it afterwards.
Status UrlTable::check_keys(uint64_t number, std::string& key) const {
  const auto wrong = [&](const char* what) {
    return Error(Code::corrupt, fmt::format("URLs of the graph: block {}: {}; {}", number, what, kRemedy));
  };
  ADUANA_ASSIGN(const std::string_view bytes, block(number));
  ByteReader in(bytes);
  std::string before = key;
  for (uint64_t i = 0; i < keys_in(number); ++i, before = key) {
    ByteReader head = in;
    if (!read_key(in, i == 0, key)) return bad_block(number);
    if (key < before) return wrong("keys are not in order");
    if (i > 0 && head.varint() != common_prefix(before, key)) return wrong("a key shares more than it says");
    if (name_key(url_of_key(key)) != key) return wrong("a key is not that of a URL");
    if (number + i == 0 || key != before || renumbered()) continue;
    const uint64_t position = number * kUrlsToABlock + i;
    ADUANA_ASSIGN(const Node earlier, node_at(position - 1));
    ADUANA_ASSIGN(const Node node, node_at(position));
    if (node <= earlier) return wrong("equal keys are not in order of their nodes");
  }
  return in.at_end() ? Status() : wrong("there is more than its keys");
}

Status UrlTable::check_numbers(uint64_t position) const {
  ADUANA_ASSIGN(const Node node, node_at(position));
  ADUANA_ASSIGN(const uint64_t back, position_of(node));
  if (back == position) return {};
  return Error(Code::corrupt, fmt::format("URLs of the graph: position {} has node {}, but that has position {}; {}",
                                          position, node, back, kRemedy));
}

Status UrlTable::check(const std::function<void(const std::string&)>& problem) const {
  bool whole = true;
  const auto tell = [&](const Status& status) {
    if (!status) problem(status.error().message());
    whole = whole && status;
  };
  for (const ByteRange& range : {places_.names, places_.positions, places_.nodes}) {
    tell(file_->touch(range.begin, range.end));
  }
  if (!whole) return {};  // what follows would tell of the same bytes many times
  std::string key;
  for (uint64_t number = 0; number < blocks(); ++number) tell(check_keys(number, key));
  if (!renumbered()) {
    for (uint64_t position = 0; position < nodes_; ++position) tell(check_numbers(position));
  }
  return {};
}

}  // namespace aduana
