#include "base/freed_memory.h"

#include <malloc.h>

namespace aduana {

namespace {

// Below these a block is likely to come again, and asking the system for it would cost more than it spares.
constexpr int kLarge = 1 << 20, kKeptOfAThread = 4 << 20;

}  // namespace

void give_back_large_blocks() {
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kKeptOfAThread);
}

}  // namespace aduana
