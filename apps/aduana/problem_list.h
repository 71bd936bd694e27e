// The answer of a command that checks something: what is wrong, each when it is found, since there may be much of it.
#pragma once

#include <cstdint>
#include <string>

#include "output.h"

namespace aduana {

class ProblemList {
 public:
  explicit ProblemList(bool json);

  void add(const std::string& problem);
  // Says how many there were, and returns the exit code.
  Result<int> finish(uint64_t pages, uint64_t links);

 private:
  const bool json_;
  Output output_;
  uint64_t count_ = 0;
};

}  // namespace aduana
