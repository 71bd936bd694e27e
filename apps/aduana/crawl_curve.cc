#include "crawl_curve.h"

#include <algorithm>
#include <cmath>

namespace aduana {

double CrawlCurve::at(double x) const {
  const double position = x * static_cast<double>(pages());
  const auto before = std::min(static_cast<uint64_t>(position), pages());
  const double step = position - static_cast<double>(before);
  return std::lerp(after_[before], after_[std::min(before + 1, pages())], step);
}

double CrawlCurve::area() const {
  if (pages() == 0) return 0;
  double sum = 0;
  for (uint64_t k = 1; k <= pages(); ++k) sum += (after_[k - 1] + after_[k]) / 2;
  return sum / static_cast<double>(pages());
}

std::vector<uint64_t> evenly(uint64_t pages, uint64_t most) {
  const uint64_t n = std::min(pages, most);
  std::vector<uint64_t> numbers(n);
  for (uint64_t i = 0; i < n; ++i) {
    numbers[i] = static_cast<uint64_t>(
        std::llround(static_cast<double>(i + 1) / static_cast<double>(n) * static_cast<double>(pages)));
  }
  return numbers;
}

}  // namespace aduana
