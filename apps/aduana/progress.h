// One line on the terminal that is written over again and again while something long goes on; nothing at all when
// standard error is no terminal. Used by the main thread only.
#pragma once

#include <chrono>
#include <string_view>

namespace aduana {

class Progress {
 public:
  Progress();
  ~Progress() { erase(); }

  // Time for a new line? Cheap enough to be asked for every batch.
  bool due();
  void show(std::string_view line);

  // Takes the line away, so that something else can be printed.
  static void erase();

 private:
  const bool on_terminal_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace aduana
