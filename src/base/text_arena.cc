#include "base/text_arena.h"

#include <algorithm>
#include <cstring>

namespace aduana {

std::string_view TextArena::keep(std::string_view text) {
  while (block_ < blocks_.size() && blocks_[block_].second - used_ < text.size()) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size()) {
    const size_t size = std::max(kBlock, text.size());
    blocks_.emplace_back(new char[size], size);
    used_ = 0;
  }
  char* at = blocks_[block_].first.get() + used_;
  std::memcpy(at, text.data(), text.size());
  used_ += text.size();
  kept_ += text.size();
  return {at, text.size()};
}

void TextArena::clear() { block_ = used_ = kept_ = 0; }

}  // namespace aduana
