// As many keys with their nodes as fit in a piece of memory of a given size, and their order.
//
// Keys grow from its front, the entries that are sorted from its back. What was never used costs nothing, so the piece
// may be as large as the budget. Not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/mapped_array.h"
#include "base/varint.h"
#include "graph/node.h"

namespace aduana {

class NameChunk {
 public:
  static Result<NameChunk> make(uint64_t bytes);

  bool empty() const { return size_ == 0; }
  uint64_t bytes() const { return used_ + size_ * sizeof(Entry); }  // in use
  // False if there is no room for it. Nodes come in order.
  bool add(std::string_view key, Node node);
  void sort();
  // Gives the memory back to the system.
  Status clear();

  // f(key, node) for each, in order once sorted; stops at an error of f.
  template <class F>
  Status for_each(F f) const {
    for (const Entry& entry : entries()) {
      Node node;
      const std::string_view key = key_at(entry.at, &node);
      ADUANA_TRY(f(key, node));
    }
    return {};
  }

 private:
  struct Entry {
    uint64_t part;  // eight bytes of the key, as far as the order of the others is settled
    uint64_t at;    // of node, size (varints) and bytes of the key, from the front
  };

  explicit NameChunk(MappedArray memory) : memory_(std::move(memory)), cells_(memory_.view_until_resize<Entry>()) {}
  char* front() const { return reinterpret_cast<char*>(cells_.data()); }
  std::span<Entry> entries() const { return cells_.last(size_); }
  std::string_view key_at(uint64_t at, Node* node) const;
  std::string_view key_of(const Entry& entry) const;
  void sort_few(std::span<Entry> entries, size_t depth) const;

  MappedArray memory_;
  std::span<Entry> cells_;
  uint64_t used_ = 0;  // bytes from the front
  uint64_t size_ = 0;  // entries from the back
};

}  // namespace aduana
