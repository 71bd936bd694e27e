#include "paper_plot.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "child_process.h"
#include "temp_dir.h"

namespace aduana::bench {
namespace {

constexpr std::chrono::milliseconds kLongestPlot{60'000};

// Inside double quotes of gnuplot.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string script(const std::vector<DelayCurve>& curves, const std::string& file) {
  std::string text = fmt::format(
      "set encoding utf8\n"
      "set terminal svg size 800,500 background rgb \"white\" font \"sans,12\"\n"
      "set output {}\n"
      "set title \"Mean delay of adding one URL\"\n"
      "set xlabel \"URLs in the database [millions]\"\n"
      "set ylabel \"delay [µs]\"\n"
      "set logscale y\n"
      "set grid xtics ytics mytics\n"
      "set key outside right top\n",
      quoted(file));
  for (size_t c = 0; c < curves.size(); ++c) {
    text += fmt::format("$curve{} << END\n", c);
    for (size_t i = 0; i < curves[c].volume.size(); ++i)
      text += fmt::format("{:.6f} {:.6f}\n", curves[c].volume[i] * 1e-6, curves[c].delay_us[i]);
    text += "END\n";
  }
  text += "plot ";
  for (size_t c = 0; c < curves.size(); ++c)
    text += fmt::format("{}$curve{} using 1:2 with linespoints pointtype 7 pointsize 0.5 title {}", c ? ", " : "", c,
                        quoted(curves[c].name));
  return text + "\n";
}

}  // namespace

Status plot_delays(const std::vector<DelayCurve>& curves, const std::string& file) {
  ADUANA_ASSIGN(const TempDir temp, TempDir::make(""));
  const std::string script_file = temp.path() + "/plot.gp";
  std::ofstream out(script_file);
  out << script(curves, std::filesystem::absolute(file).string());
  out.close();
  if (!out) return Error(Code::io, script_file + " cannot be written");
  const Status drawn = run_child({.command = {"gnuplot", script_file}, .output = "", .user = ""}, kLongestPlot);
  return drawn ? Status{} : Status(drawn.error().within("plot"));
}

}  // namespace aduana::bench
