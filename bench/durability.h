// What an acknowledged change survives, in the same three words for every system that is measured.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace aduana::bench {

enum class Durability {
  always,    // a power cut: it was synced before the call returned
  interval,  // a power cut after kSyncInterval
  none,      // the end of the process
};

inline constexpr std::chrono::milliseconds kSyncInterval{100};

inline const std::map<std::string, Durability>& durability_names() {
  static const std::map<std::string, Durability> names{
      {"always", Durability::always}, {"interval", Durability::interval}, {"none", Durability::none}};
  return names;
}

}  // namespace aduana::bench
