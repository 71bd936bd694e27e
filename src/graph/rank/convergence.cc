#include "graph/rank/convergence.h"

namespace aduana {
namespace {

// Changes shrink from loop to loop until only rounding is left of them. That is so when the smallest yet has stood for
// this many loops; a computation without a limit would go on for ever.
constexpr uint64_t kPatience = 100;

}  // namespace

Status LoopOptions::check() const {
  if (precision >= 0) return {};
  return Error(Code::invalid, "the precision must be a number from 0 on");
}

bool LoopControl::another(double change) {
  const uint64_t loop = ++convergence_.loops;
  convergence_.change = change;
  convergence_.reached = change <= options_.precision;
  if (loop == 1 || change < smallest_change_) {
    smallest_change_ = change;
    smallest_at_ = loop;
  }
  if (options_.progress && !options_.progress(loop, change)) return false;
  if (convergence_.reached) return false;
  return options_.max_loops > 0 ? loop < options_.max_loops : loop - smallest_at_ < kPatience;
}

}  // namespace aduana
