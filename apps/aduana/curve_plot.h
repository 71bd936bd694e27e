// Draws the curves of crawls as a picture, in SVG, with nothing but text: no other program is needed to make it.
#pragma once

#include <span>
#include <string>

#include "crawl_curve.h"

namespace aduana {

struct NamedCurve {
  std::string_view name;
  const CrawlCurve& curve;
};

// The legend has the curves in the order of their areas. `title` may hold any text.
std::string draw_curves(const std::string& title, std::span<const NamedCurve> curves);

}  // namespace aduana
