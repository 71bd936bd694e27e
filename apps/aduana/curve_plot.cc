#include "curve_plot.h"

#include <fmt/format.h>

#include <algorithm>

namespace aduana {
namespace {

constexpr double kLeft = 68, kTop = 80, kPlotWidth = 620, kPlotHeight = 400, kLegendWidth = 216, kBottom = 60;
constexpr double kWidth = kLeft + kPlotWidth + kLegendWidth, kHeight = kTop + kPlotHeight + kBottom;
constexpr uint64_t kPoints = 400;

// Told apart by people who see few colours, too (Okabe and Ito), with dashes where there are more curves than that.
struct Stroke {
  const char* colour;
  const char* dashes;
};
constexpr Stroke kStrokes[] = {{"#d55e00", "none"}, {"#0072b2", "none"}, {"#009e73", "none"}, {"#cc79a7", "none"},
                               {"#56b4e9", "2 5"},  {"#555555", "9 4"},  {"#e69f00", "5 3"},  {"#000000", "none"}};

double x_of(double share) { return kLeft + share * kPlotWidth; }
double y_of(double share) { return kTop + (1 - share) * kPlotHeight; }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string axes() {
  std::string grid, across, up;
  for (int percent = 0; percent <= 100; percent += 10) {
    const double x = x_of(percent / 100.0), y = y_of(percent / 100.0);
    grid += fmt::format("M{} {}H{}M{} {}V{}", x_of(0), y, x_of(1), x, y_of(0), y_of(1));
    across += fmt::format("<text x=\"{}\" y=\"{}\">{} %</text>\n", x, y_of(0) + 20, percent);
    up += fmt::format("<text x=\"{}\" y=\"{}\">{} %</text>\n", x_of(0) - 8, y + 4, percent);
  }
  across += fmt::format("<text x=\"{}\" y=\"{}\">pages crawled, of those that can be reached</text>\n", x_of(0.5),
                        y_of(0) + 44);
  return fmt::format(
      "<path stroke=\"#e4e4e4\" fill=\"none\" d=\"{}\"/>\n"
      "<path stroke=\"#444444\" fill=\"none\" d=\"M{} {}V{}H{}\"/>\n"
      "<g text-anchor=\"middle\">\n{}</g>\n<g text-anchor=\"end\">\n{}</g>\n"
      "<text x=\"20\" y=\"{}\">share of the final PageRank</text>\n",
      grid, x_of(0), y_of(1), y_of(0), x_of(1), across, up, y_of(1) - 16);
}

std::string line_of(const CrawlCurve& curve) {
  std::string path = fmt::format("M{} {}", x_of(0), y_of(0));
  for (const uint64_t pages : evenly(curve.pages(), kPoints)) {
    const double x = static_cast<double>(pages) / static_cast<double>(curve.pages());
    fmt::format_to(std::back_inserter(path), "L{:.1f} {:.1f}", x_of(x), y_of(curve.after(pages)));
  }
  return path;
}

std::string drawn(const std::string& path, const Stroke& stroke) {
  return fmt::format(
      "<path stroke=\"{}\" stroke-dasharray=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" fill=\"none\" "
      "d=\"{}\"/>\n",
      stroke.colour, stroke.dashes, path);
}

std::string legend_entry(std::string_view name, double area, const Stroke& stroke, size_t place) {
  const double x = x_of(1) + 24, y = kTop + 30 + 22 * static_cast<double>(place);
  return drawn(fmt::format("M{} {}h28", x, y - 4), stroke) +
         fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.3f}</text>\n",
                     x + 36, y, escaped(name), kWidth - 20, y, area);
}

}  // namespace

std::string draw_curves(const std::string& title, std::span<const NamedCurve> curves) {
  struct Entry {
    std::string_view name;
    double area;
    Stroke stroke;
  };
  std::vector<Entry> legend;
  std::string lines;
  for (size_t i = 0; i < curves.size(); ++i) {
    const Stroke& stroke = kStrokes[i % std::size(kStrokes)];
    legend.push_back({curves[i].name, curves[i].curve.area(), stroke});
    lines = drawn(line_of(curves[i].curve), stroke) + lines;  // so that the first is on top
  }
  std::stable_sort(legend.begin(), legend.end(), [](const Entry& a, const Entry& b) { return a.area > b.area; });

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
      "<text x=\"20\" y=\"32\" font-size=\"16\">{2}</text>\n",
      kWidth, kHeight, escaped(title));
  svg += axes() + lines;
  svg +=
      fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#666666\">area</text>\n", kWidth - 20, kTop + 8);
  for (size_t place = 0; place < legend.size(); ++place) {
    svg += legend_entry(legend[place].name, legend[place].area, legend[place].stroke, place);
  }
  return svg + "</svg>\n";
}

}  // namespace aduana
