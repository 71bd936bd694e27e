// How much memory pending pages take: a schedule filled with them, measured from outside.
#pragma once

#include <cstdint>

#include "aduana/result.h"

namespace aduana::bench {

struct PendingFigures {
  uint64_t pending = 0;
  double gigabytes = 0;      // by which the process grew
  double bytes_per_url = 0;  // the same, of each
  double take_us = 0;        // to take one of the best, in requests of 100
};

// `hosts` queues of uneven size with `pending` pages in all.
Result<PendingFigures> measure_pending(uint64_t pending, uint64_t hosts);

}  // namespace aduana::bench
