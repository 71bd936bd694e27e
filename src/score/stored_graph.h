// The graph of a moment of the store, in memory, for scorers.
#pragma once

#include <optional>

#include "graph/rank/csr.h"
#include "score/scorer.h"

namespace aduana {

// Nothing if it would take more than `most_bytes`, or there are more pages than 32 bits can number. `links` are those
// of the input.
Result<std::optional<Csr<uint32_t>>> graph_in_memory(LinkSource& links, const ScoreInput& input, Rows rows,
                                                     uint64_t most_bytes);

}  // namespace aduana
