// The URLs of the nodes of a graph file: of a node its URL, of a URL its node.
//
// The keys of the URLs (name_key.h) stand in order, equal ones by number, in blocks of kUrlsToABlock:
//
//   names:     blocks; of each the first key with its size, the others front-coded (front_coding.h)
//   offsets:   of the blocks in `names` and of its end (elias_fano.h)
//   positions: by node, the position of its key (packed_array.h)
//   nodes:     by position, the node: the inverse
// The last two are empty where the nodes are numbered in order of their keys. A URL of 50 bytes takes 10 to 25 in
// `names`, as much as it differs from its neighbours. Bytes are verified when they are first looked at, the offsets by
// open(). Immutable; used by any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "graph/checked_bytes.h"
#include "graph/codec/elias_fano.h"
#include "graph/names/packed_array.h"
#include "graph/node.h"

namespace aduana {

inline constexpr uint64_t kUrlsToABlock = 16;

class UrlTable {
 public:
  struct Places {
    ByteRange names, offsets, positions, nodes;
    uint64_t bytes() const { return names.size() + offsets.size() + positions.size() + nodes.size(); }
  };

  // The file must outlive the table.
  static Result<UrlTable> open(const CheckedBytes& file, const Places& places, uint64_t nodes);

  uint64_t nodes() const { return nodes_; }
  // Code::not_found beyond the end.
  Result<std::string> url(Node node) const;
  // The first of the nodes with this URL.
  Result<std::optional<Node>> find(std::string_view url) const;
  // Every checksum and invariant; `problem` gets a sentence for each that does not hold.
  Status check(const std::function<void(const std::string&)>& problem) const;

 private:
  UrlTable() = default;
  bool renumbered() const { return !positions_; }
  uint64_t blocks() const { return (nodes_ + kUrlsToABlock - 1) / kUrlsToABlock; }
  uint64_t keys_in(uint64_t block) const { return std::min(kUrlsToABlock, nodes_ - block * kUrlsToABlock); }
  Result<std::string_view> block(uint64_t number) const;
  Result<std::string_view> first_key(uint64_t block) const;
  Result<std::optional<uint64_t>> find_key(std::string_view key) const;
  Result<Node> node_at(uint64_t position) const;
  Result<uint64_t> position_of(Node node) const;
  Status check_keys(uint64_t block, std::string& key) const;
  Status check_numbers(uint64_t position) const;

  const CheckedBytes* file_ = nullptr;
  Places places_;
  EliasFano offsets_;
  std::optional<PackedArray> positions_, nodes_at_;
  uint64_t nodes_ = 0;
};

}  // namespace aduana
