// The picture of the paper's experiment, after its Fig. 2: the mean delay of an addition over the database's volume.
#pragma once

#include <string>
#include <vector>

#include "aduana/result.h"

namespace aduana::bench {

struct DelayCurve {
  std::string name;
  std::vector<double> volume;    // URLs in the database at the end of the step
  std::vector<double> delay_us;  // mean of the step
};

// Writes an SVG file with gnuplot; an error if that is not installed.
Status plot_delays(const std::vector<DelayCurve>& curves, const std::string& file);

}  // namespace aduana::bench
