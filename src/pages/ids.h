// The identities of the store: a page by its dense index in order of discovery, a host by its dense number.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace aduana {

// 64 bits in memory, 40 on disk. Never changes and is never used again.
struct PageIdx {
  uint64_t value = 0;
  auto operator<=>(const PageIdx&) const = default;
};

inline constexpr PageIdx kNoPage{~0ull};
inline constexpr uint64_t kMaxPages = (1ull << 40) - 2;

struct HostId {
  uint32_t value = 0;
  auto operator<=>(const HostId&) const = default;
};

}  // namespace aduana

template <>
struct std::hash<aduana::PageIdx> {
  size_t operator()(aduana::PageIdx i) const { return std::hash<uint64_t>()(i.value); }
};
