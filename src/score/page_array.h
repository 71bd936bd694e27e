// Something small for every page, as many as there are pages: grows without moving anything, so that growing takes no
// time even when there are hundreds of millions. New ones are 0. Not thread-safe.
#pragma once

#include <memory>
#include <vector>

#include "base/ids.h"

namespace aduana {

template <class T>
class PageArray {
 public:
  uint64_t size() const { return size_; }
  // Never fewer than there are.
  void grow(uint64_t size) {
    while (chunks_.size() * kChunk < size) chunks_.push_back(std::make_unique<T[]>(kChunk));
    if (size > size_) size_ = size;
  }
  T& operator[](PageIdx page) { return chunks_[page.value / kChunk][page.value % kChunk]; }
  T operator[](PageIdx page) const { return chunks_[page.value / kChunk][page.value % kChunk]; }
  // 0 of a page that is not there yet.
  T at(PageIdx page) const { return page.value < size_ ? (*this)[page] : T{}; }

 private:
  static constexpr size_t kChunk = 1 << 14;
  std::vector<std::unique_ptr<T[]>> chunks_;
  uint64_t size_ = 0;
};

}  // namespace aduana
