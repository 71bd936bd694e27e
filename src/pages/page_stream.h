// Streams over all pages of one moment, in order of their index, while reports go on: PageInfo, or hash and index.
// A stream is used by one thread and must not outlive its store.
#pragma once

#include <optional>

#include "pages/pages.h"

namespace aduana {

class PageInfoStream {
 public:
  explicit PageInfoStream(PagesSnapshot snapshot) : snapshot_(std::move(snapshot)) {}

  // The next page, or nothing at the end.
  Result<std::optional<PageInfo>> next();
  void reset() { next_ = PageIdx{0}; }

 private:
  PagesSnapshot snapshot_;
  PagesSnapshot::Cursor cursor_;
  PageIdx next_{0};
};

struct HashIdx {
  uint64_t hash;  // the documented 64-bit hash
  PageIdx idx;
};

class HashIdxStream {
 public:
  explicit HashIdxStream(PagesSnapshot snapshot) : snapshot_(std::move(snapshot)) {}

  Result<std::optional<HashIdx>> next();
  void reset() { next_ = PageIdx{0}; }

 private:
  PagesSnapshot snapshot_;
  PagesSnapshot::Cursor cursor_;
  PageIdx next_{0};
};

}  // namespace aduana
