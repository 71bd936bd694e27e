// merge_runs: several runs become one, each link once.
//
// By a tree of losers: about log2(runs) comparisons a link. Works in `workspace`, block_bytes for each run and as many
// for the result, besides some 200 bytes a run.
#pragma once

#include <span>

#include "graph/edges/link_run.h"

namespace aduana {

struct MergeInput {
  const LinkRunFile* file;
  LinkRun run;
};

// Writes to `out` from `offset` on.
Result<LinkRun> merge_runs(std::span<const MergeInput> inputs, const LinkRunFile& out, uint64_t offset, uint64_t number,
                           size_t block_bytes, std::span<char> workspace);

}  // namespace aduana
