// LinkSpill: sorted links that memory has no room for, as runs in scratch files, made into one run at the end.
//
// Runs are kept by level. Each sorted chunk is a run of level 0; when a level has as many runs as may be merged at a
// time, they become one run of the next and their file is emptied. So the number of runs, and with it memory, grows
// with the logarithm of the number of links only, and each link is rewritten once a level.
//
// A scratch file loses its name as soon as it is open: the system takes it back when the object, or the process in
// whatever way, ends. Not thread-safe.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/edges/link_key.h"
#include "graph/edges/link_run.h"
#include "graph/edges/run_merge.h"

namespace aduana {

class LinkSpill {
 public:
  // Merges up to `fan_in` (at least 2) runs at a time, with a buffer of block_bytes (at least kLeastRunBuffer) for
  // each.
  LinkSpill(FileSystem& files, std::string folder, size_t block_bytes, size_t fan_in);

  // Here and below the workspace has block_bytes * (fan_in + 1) bytes.
  template <class Key>
  Status add(std::span<const Key> sorted, std::span<char> workspace) {
    ADUANA_TRY(prepare(0));
    LinkRunWriter writer = begin_run(0, workspace);
    for (const Key key : sorted)
      if (!writer.add(link_of(key))) break;
    ADUANA_ASSIGN(const LinkRun run, writer.finish());
    append(0, run);
    return merge_full_levels(workspace);
  }

  struct Merged {
    LinkRunFile file;
    LinkRun run;
  };
  // All links as one run; nothing may be added any more. Something was.
  Result<Merged> finish(std::span<char> workspace);

 private:
  struct Level {
    LinkRunFile file;
    std::vector<LinkRun> runs;
    uint64_t end() const { return runs.empty() ? 0 : runs.back().end; }
  };

  Status prepare(size_t level);
  LinkRunWriter begin_run(size_t level, std::span<char> workspace);
  void append(size_t level, const LinkRun& run);
  Status merge_full_levels(std::span<char> workspace);
  Status merge(size_t begin, size_t end, std::span<char> workspace);

  FileSystem& files_;
  const std::string folder_;
  const size_t block_bytes_;
  const size_t fan_in_;
  std::vector<Level> levels_;
  size_t runs_ = 0;           // in all levels
  uint64_t next_number_ = 0;  // of a run
};

}  // namespace aduana
