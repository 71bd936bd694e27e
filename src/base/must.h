// For tests: the value of a Result that has to be there. An error becomes an exception, which fails the test with the
// error's message.
#pragma once

#include <stdexcept>
#include <utility>

#include "aduana/result.h"

namespace aduana {

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(result).value();
}

inline void must(const Status& status) {
  if (!status) throw std::runtime_error(status.error().message());
}

}  // namespace aduana
