// What the process and its store take of the machine.
#pragma once

#include <cstdint>
#include <string>

namespace aduana {

struct MachineUse {
  uint64_t resident_bytes = 0;
  uint64_t store_bytes = 0;  // on disk, allocated
  uint64_t free_bytes = 0;   // of that disk
  double cpu_seconds = 0;
};

// What can't be found out is 0.
MachineUse machine_use(const std::string& store_dir);

}  // namespace aduana
