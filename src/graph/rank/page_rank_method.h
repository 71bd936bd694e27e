// What PageRank calculates with, and the two passes over the links that a way of calculating it must offer.
//
// Jumps, and steps from pages whose links lead nowhere, go to the same pages in the same proportions. So a loop needs
// one number to spread them all: what both amounted to after the loop before. Using new values at once does not keep
// the sum of the values, yet neither lets it run away (no loop raises the largest ratio of a value to its solution, or
// lowers the smallest); they are divided by their sum in the end.
//
// What a page links to itself is solved for and not waited for: x = rest + s·x gives x = rest / (1 − s). Web pages
// often do; on cnr-2000, where a quarter does, this halves the number of loops.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/zeroed_array.h"
#include "graph/rank/content_scores.h"

namespace aduana {

struct PageRankState {
  std::span<float> values;
  const ContentScores& scores;  // all alike if those given are all 0
  double jump = 0;              // what a page gets by jumps for each unit of its score
  ZeroedArray<float> share;     // damping / scores of all pages that the page links to; 0: its links lead nowhere
  ZeroedArray<float> gain;      // 1 / (1 − s) as above; 1: the page does not link to itself
  ZeroedArray<float> passed;    // value · share: what a target gets for each unit of its score

  // Sets a page's value from what the links of other pages brought; returns by how much it changed.
  float set(Node page, double gathered) {
    const float value = static_cast<float>(scores.of(page) * (jump + gathered) * gain[page]);
    const float change = std::abs(value - values[page]);
    values[page] = value;
    return change;
  }
};

struct PageRankSweep {
  double change = 0;           // largest of any page
  double total = 0;            // of all values
  double leading_nowhere = 0;  // of the values of pages whose links lead nowhere

  void add(float page_change, float value, float share) {
    change = std::max<double>(change, page_change);
    total += value;
    leading_nowhere += share == 0 ? value : 0;
  }
  void add(const PageRankSweep& other) {
    change = std::max(change, other.change);
    total += other.total;
    leading_nowhere += other.leading_nowhere;
  }
};

class PageRankMethod {
 public:
  virtual ~PageRankMethod() = default;

  // Adds the score of each link's target to `all` of its source, and to `own` as well if they are the same page.
  virtual Status add_target_scores(const ContentScores& scores, std::span<double> all, std::span<double> own) = 0;
  // Values and `passed` once anew.
  virtual Result<PageRankSweep> sweep(PageRankState& state) = 0;
};

}  // namespace aduana
