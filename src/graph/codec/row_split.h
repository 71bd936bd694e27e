// A row in terms of another one: which of the other's links it has too, as runs, and the rest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/codec/row_model.h"
#include "graph/node.h"

namespace aduana {

struct RowSplit {
  std::vector<uint64_t> runs;  // of `other`: copied, left out, copied, …; without the last one
  std::vector<Node> rest;

  // Both rows are sorted and without doubles; an empty `other` stands for none.
  void split(std::span<const Node> row, std::span<const Node> other) {
    runs.clear();
    rest.clear();
    auto at = row.begin();
    bool copying = true;
    uint64_t run = 0;
    for (const Node link : other) {
      while (at != row.end() && *at < link) rest.push_back(*at++);
      const bool copied = at != row.end() && *at == link;
      if (copied) ++at;
      if (copied != copying) {
        runs.push_back(run);
        copying = copied;
        run = 0;
      }
      ++run;
    }
    rest.insert(rest.end(), at, row.end());
  }
};

// Says a split row in the terms of the model: sink(context, number) for each number, in order. `back`: how many rows
// before it the other one is; 0: none.
template <class Sink>
void say_row(Node page, unsigned back, const RowSplit& split, const RowBefore& before, Sink&& sink) {
  const std::vector<Node>& rest = split.rest;
  if (!back && rest.empty()) return sink(context::likeness(before), 0);
  sink(context::likeness(before), back + 1);
  if (back) {
    sink(context::runs(before), split.runs.size());
    for (size_t i = 0; i < split.runs.size(); ++i) {
      // Only the first run can be empty.
      if (i == 0) {
        sink(context::kFirstRun, split.runs[0]);
      } else {
        // As it was written: less one, if it was not the first.
        sink(context::later_run(i, width_of(split.runs[i - 1] - (i > 1))), split.runs[i] - 1);
      }
    }
  }
  sink(context::rest(before, back != 0), back ? rest.size() : rest.size() - 1);
  if (rest.empty()) return;
  sink(context::first(rest.size(), back != 0), zigzag_encode(static_cast<int64_t>(rest[0] - page)));
  unsigned gap_context = context::kGapAtStart;
  unsigned zeros = 0;
  for (size_t i = 1; i < rest.size();) {
    const uint64_t gap = rest[i] - rest[i - 1] - 1;
    ++i;
    sink(gap_context, gap);
    gap_context = context::gap_after(width_of(gap));
    zeros = gap ? 0 : zeros + 1;
    if (zeros < kZerosToARun) continue;
    const size_t start = i;
    while (i < rest.size() && rest[i] == rest[i - 1] + 1) ++i;
    sink(context::kZeros, i - start);
    gap_context = context::kGapAfterZeros;
    zeros = 0;
  }
}

// What the row after it has to know.
inline RowBefore before_next(unsigned back, uint64_t rest, uint64_t links) {
  return {links ? back + 1 : 0, width_of(rest), width_of(links)};
}

}  // namespace aduana
