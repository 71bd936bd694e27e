#include "schedule/visit_worth.h"

#include <cmath>
#include <limits>

namespace aduana {

double visit_worth(double x) {
  if (x < 1e-5) return x * x * (0.5 - x / 3);  // where the difference has too few digits
  return -std::expm1(-x) - x * std::exp(-x);
}

// With u = −ln(1 − value) it is the root of x − ln(1 + x) = u, which is convex; √(2u) + u is above the root, so that
// Newton's steps lead straight down to it. Five get there for every u that a double below 1 can give.
double when_worth(double value) {
  if (!(value < 1)) return std::numeric_limits<double>::infinity();
  const double u = -std::log1p(-value);
  if (u < 1e-12) return std::sqrt(2 * u) + u * 2 / 3;  // where x − ln(1 + x) has too few digits
  double x = std::sqrt(2 * u) + u;
  for (int i = 0; i < 5; ++i) x -= (x - std::log1p(x) - u) * (1 + x) / x;
  return x;
}

}  // namespace aduana
