// The names of hosts and their dense numbers, in order of first sight.
//
// One thread interns; any number may call name_of() for numbers they were given, at the same time: names never move.
// On disk: entries of an ExtentLog, each holding the names that a checkpoint added (see docs/formats/pages.md).
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

#include "base/extent_log.h"
#include "base/ids.h"
#include "base/zeroed_array.h"

namespace aduana {

class HostNames {
 public:
  HostNames();
  ~HostNames();

  HostId intern(std::string_view name);
  bool find(std::string_view name, HostId* id) const;
  std::string_view name_of(HostId id) const;
  uint32_t size() const { return count_; }

  // The names not yet in `log` are appended to it; load() reads them all back.
  void save(ExtentLog& log);
  Status load(const ExtentLog& log);

 private:
  static constexpr uint32_t kChunk = 1 << 12;
  static constexpr uint32_t kMaxChunks = 1 << 20;
  using Chunk = std::array<std::string_view, kChunk>;

  struct Slot {
    uint32_t hash;
    uint32_t number_plus_1;
  };
  uint32_t slot_of(std::string_view name, uint32_t hash) const;  // where it is, or where it would go
  HostId intern_other(std::string_view name);
  void grow();
  std::string_view keep(std::string_view name);

  Chunk* chunk(uint32_t number) const { return std::atomic_ref<Chunk*>(chunks_[number]).load(); }

  mutable ZeroedArray<Chunk*> chunks_;  // read by others while new ones are put in: through atomic_ref only
  std::vector<Slot> slots_;             // by hash; at most half full
  std::atomic<uint32_t> count_ = 0;
  HostId last_;  // interned
  uint32_t saved_ = 0;
  std::vector<std::unique_ptr<char[]>> arena_;
  size_t arena_left_ = 0;
  char* arena_at_ = nullptr;
};

}  // namespace aduana
