// scrypt (RFC 7914): a password's hash that is dear to compute, in time and memory, for whoever has to guess.
// No state, safe from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "aduana/result.h"

namespace aduana {

// Takes 128 · 2^log2_n · r bytes and about 50 ms as it stands.
struct ScryptCost {
  uint32_t log2_n = 15;
  uint32_t r = 8;
  uint32_t p = 1;

  bool operator==(const ScryptCost&) const = default;
  uint64_t memory() const { return (uint64_t{128} * r) << log2_n; }
};

inline constexpr size_t kScryptHashSize = 32;
inline constexpr uint64_t kMostScryptMemory = uint64_t{256} << 20;

// Code::invalid for a cost that is none, or so high that a log-in would stop the server.
Status check_cost(const ScryptCost& cost);

Result<std::string> scrypt(std::string_view password, std::string_view salt, const ScryptCost& cost);

}  // namespace aduana
