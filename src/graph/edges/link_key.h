// A link as one unsigned number, so that sorting links is sorting numbers: the source in the upper half, the target in
// the lower. NarrowKey holds pages below 2^32, WideKey all.
#pragma once

#include <cstdint>

#include "graph/node.h"

namespace aduana {

using NarrowKey = uint64_t;
__extension__ using WideKey = unsigned __int128;

template <class Key>
inline constexpr int kKeyHalf = sizeof(Key) * 4;  // bits

template <class Key>
inline Key key_of(NodeLink link) {
  return static_cast<Key>(link.from) << kKeyHalf<Key> | link.to;
}

template <class Key>
inline NodeLink link_of(Key key) {
  return {static_cast<Node>(key >> kKeyHalf<Key>), static_cast<Node>(key & ((Key{1} << kKeyHalf<Key>)-1))};
}

}  // namespace aduana
