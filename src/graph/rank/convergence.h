// When a computation that goes round and round is good enough, and what is said of it then.
//
// Running out of loops is no error: the values are there, and Convergence says how far they got.
#pragma once

#include <cstdint>
#include <functional>

#include "aduana/result.h"

namespace aduana {

struct LoopOptions {
  double precision = 1e-4;   // enough when no page's value changed by more than this in a loop
  uint64_t max_loops = 100;  // 0: no limit, until the precision is reached or rounding keeps it from being
  bool warm_start = true;    // begin with the last values and not from nothing
  unsigned threads = 1;      // for computations on a graph; with more, values differ in the last digits from run to run
  // Called after each loop with its number, from 1, and its largest change; false stops the work.
  std::function<bool(uint64_t loop, double change)> progress = {};

  Status check() const;  // Code::invalid for a precision that is no number or below 0
};

struct Convergence {
  uint64_t loops = 0;
  double change = 0;     // largest change of any page's value in the last loop
  bool reached = false;  // whether the precision was
};

class LoopControl {
 public:
  explicit LoopControl(const LoopOptions& options) : options_(options) {}

  // To be called after each loop; whether there is to be another.
  bool another(double change);
  const Convergence& convergence() const { return convergence_; }

 private:
  const LoopOptions& options_;
  Convergence convergence_;
  double smallest_change_ = 0;
  uint64_t smallest_at_ = 0;
};

}  // namespace aduana
