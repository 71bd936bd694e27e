// Results of a batch: one for each thing that was sent, in that order. What could not be read has its error already;
// the others get theirs from what the frontier said.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aduana/result.h"

namespace aduana {

class BatchAnswer {
 public:
  // The next thing that was sent: read, or not.
  void read() { places_.push_back(errors_.size()), errors_.emplace_back(); }
  void unreadable(Error error) { errors_.emplace_back(std::move(error)); }

  // What became of the i-th of those that were read.
  void set(size_t i, const std::optional<Error>& error) { errors_[places_[i]] = error; }

  size_t size() const { return errors_.size(); }
  size_t done() const;
  const std::optional<Error>& operator[](size_t i) const { return errors_[i]; }
  std::string results_json() const;  // [{"ok":true},…]

 private:
  std::vector<std::optional<Error>> errors_;
  std::vector<size_t> places_;  // of those that were read, in errors_
};

}  // namespace aduana
