// When a change counts as stored.
#pragma once

#include <cstdint>

namespace aduana {

enum class Durability : uint8_t {
  none,      // when the system has it: survives the death of the process, not of the machine
  interval,  // the same, and synced to the disk some ten times a second
  always,    // when it is synced to the disk
};

}  // namespace aduana
