// NameSorter: the keys of nodes 0, 1, 2, … in order, equal ones by node, in the memory that it is given.
//
// What fits is sorted and kept in memory: the keys and some 20 bytes each. What does not goes to scratch files as
// sorted runs. Runs are kept by level: when a level has as many as may be merged at a time, they become one of the
// next; so the number of open files grows with the logarithm of the number of keys only. In the end there is one run,
// which can be read more than once. The longest keys are held besides the budget, one for each run that is merged. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/names/name_chunk.h"
#include "graph/names/name_run.h"

namespace aduana {

struct UrlTableOptions {
  uint64_t memory_bytes = 256 << 20;
  std::string scratch_folder;  // must be there
  FileSystem* files = &real_files();
};

class SortedNames {
 public:
  uint64_t size() const { return size_; }
  uint64_t memory_bytes() const { return chunk_ ? chunk_->bytes() : 0; }

  // f(key, node) for each, in order; stops at an error of f. Can be called again.
  template <class F>
  Status for_each(F f) const {
    if (chunk_) return chunk_->for_each(f);
    NameRunReader in(*run_);
    for (;;) {
      ADUANA_ASSIGN(const bool more, in.next());
      if (!more) return {};
      ADUANA_TRY(f(in.key(), in.node()));
    }
  }

 private:
  friend class NameSorter;
  SortedNames(NameChunk chunk, uint64_t size) : chunk_(std::move(chunk)), size_(size) {}
  SortedNames(NameRun run, uint64_t size) : run_(std::move(run)), size_(size) {}

  std::optional<NameChunk> chunk_;  // or else
  std::optional<NameRun> run_;
  uint64_t size_;
};

class NameSorter {
 public:
  static Result<NameSorter> make(const UrlTableOptions& options);

  Status add(std::string_view key);
  // Keeps the keys in memory if as many bytes a key as are told here are left of it then. Nothing may be added any
  // more.
  Result<SortedNames> finish(uint64_t bytes_besides);

 private:
  NameSorter(const UrlTableOptions& options, NameChunk chunk);
  Result<NameRunWriter> begin_run() const;
  Status spill();
  Status add_run(NameRun run);
  Result<NameRun> merge(std::span<const NameRun> runs) const;
  Result<NameRun> merge_all();

  UrlTableOptions options_;
  size_t block_bytes_;
  size_t fan_in_;
  NameChunk chunk_;
  std::vector<std::vector<NameRun>> levels_;
  uint64_t size_ = 0;
};

}  // namespace aduana
