#include "graph/names/name_chunk.h"

#include <sys/mman.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/bytes.h"

namespace aduana {
namespace {

constexpr size_t kFew = 24;
constexpr size_t kPartBytes = sizeof(uint64_t);

// Bytes of the key from `depth` on, in the order of the keys; zeros behind its end.
uint64_t part_of(std::string_view key, size_t depth) {
  key = key.substr(std::min(depth, key.size()), kPartBytes);
  char bytes[kPartBytes] = {};
  key.copy(bytes, key.size());
  return load_be<uint64_t>(bytes);
}

}  // namespace

Result<NameChunk> NameChunk::make(uint64_t bytes) {
  ADUANA_ASSIGN(MappedArray memory, MappedArray::anonymous(bytes / sizeof(Entry), sizeof(Entry)));
  return NameChunk(std::move(memory));
}

bool NameChunk::add(std::string_view key, Node node) {
  const size_t bytes = static_cast<size_t>(varint_size(node) + varint_size(key.size())) + key.size();
  const uint64_t room = cells_.size_bytes() - this->bytes();
  if (room < sizeof(Entry) || room - sizeof(Entry) < bytes) return false;
  char* const out = write_varint(write_varint(front() + used_, node), key.size());
  key.copy(out, key.size());
  ++size_;
  entries().front() = {part_of(key, 0), used_};
  used_ += bytes;
  return true;
}

std::string_view NameChunk::key_at(uint64_t at, Node* node) const {
  const char* const end = front() + used_;
  uint64_t size = 0;
  const char* const key = read_varint(read_varint(front() + at, end, node), end, &size);
  return {key, size};
}

std::string_view NameChunk::key_of(const Entry& entry) const {
  Node node;
  return key_at(entry.at, &node);
}

void NameChunk::sort_few(std::span<Entry> entries, size_t depth) const {
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    if (a.part != b.part) return a.part < b.part;
    const int order = key_of(a).substr(depth).compare(key_of(b).substr(depth));
    return order != 0 ? order < 0 : a.at < b.at;
  });
}

// Keys have long beginnings in common, and each look at one is a cache miss. So the entries are sorted by eight bytes
// of the keys that they hold themselves; only those that are equal are then told apart by the next eight.
void NameChunk::sort() {
  struct Task {
    std::span<Entry> entries;
    size_t depth;  // of their parts; before it the keys are equal
  };
  std::vector<Task> tasks{{entries(), 0}};
  while (!tasks.empty()) {
    const auto [entries, depth] = tasks.back();
    tasks.pop_back();
    if (entries.size() <= kFew) {
      sort_few(entries, depth);
      continue;
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.part < b.part; });
    const size_t next = depth + kPartBytes;
    for (auto begin = entries.begin(), end = begin; begin != entries.end(); begin = end) {
      end = std::find_if(begin, entries.end(), [&](const Entry& e) { return e.part != begin->part; });
      if (end - begin == 1) continue;
      // A key that has ended is the beginning of those that have not, even if that is zeros.
      const auto longer = std::partition(begin, end, [&](const Entry& e) { return key_of(e).size() <= next; });
      std::sort(begin, longer, [&](const Entry& a, const Entry& b) {
        return std::tuple(key_of(a).size(), a.at) < std::tuple(key_of(b).size(), b.at);
      });
      for (auto entry = longer; entry != end; ++entry) entry->part = part_of(key_of(*entry), next);
      if (end - longer > 1) tasks.push_back({{longer, end}, next});
    }
  }
}

Status NameChunk::clear() {
  used_ = size_ = 0;
  return memory_.advise(MADV_DONTNEED);
}

}  // namespace aduana
