// Tells links from bytes that are something else: those name pages anywhere in 32 bits. Every page costs something,
// so that a graph which is as sparse is refused rather than tens of gigabytes asked for.
#pragma once

#include <fmt/format.h>

#include "aduana/result.h"
#include "graph/node.h"

namespace aduana {

// So many links are all there are, and name pages below `nodes`.
inline Status test_plausible(uint64_t nodes, uint64_t links) {
  constexpr uint64_t kManyNodes = 10'000'000, kNodesPerLink = 100;
  if (nodes <= kManyNodes || nodes / kNodesPerLink <= links) return {};
  return Error(
      Code::invalid,
      fmt::format("{} links name pages up to {}: these seem to be no links; give pairs of little-endian 32-bit "
                  "numbers, and number the pages from 0 without large gaps",
                  links, nodes - 1));
}

}  // namespace aduana
