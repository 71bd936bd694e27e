// Where strings live that are kept together and let go together: the bytes of a batch.
//
// What was kept stays where it is until clear(). Used by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace aduana {

class TextArena {
 public:
  std::string_view keep(std::string_view text);
  void clear();
  uint64_t kept() const { return kept_; }  // bytes since clear()

 private:
  static constexpr size_t kBlock = 256 << 10;
  std::vector<std::pair<std::unique_ptr<char[]>, size_t>> blocks_;
  size_t block_ = 0;
  size_t used_ = 0;
  uint64_t kept_ = 0;
};

}  // namespace aduana
