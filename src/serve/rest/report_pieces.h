// A large batch is reported in pieces: the store does nothing else while it takes one.
#pragma once

#include <span>

#include "aduana/report.h"

namespace aduana {

inline constexpr size_t kUrlsOfAPiece = 20'000;  // pages and links; some hundredths of a second

// The first few pages, to be reported at once: at least one, and no more than a piece has.
inline std::span<const ReportedPage> first_piece(std::span<const ReportedPage> pages) {
  size_t n = 0;
  for (size_t urls = 0; n < pages.size(); ++n) {
    urls += 1 + pages[n].links.size();
    if (n > 0 && urls > kUrlsOfAPiece) break;
  }
  return pages.first(n);
}

}  // namespace aduana
