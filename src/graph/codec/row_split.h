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

// Says a split row in the terms of the model: sink(context, token) for each number, in order. `back`: how many rows
// before it the other one is; 0: none.
template <class Sink>
void say_row(Node page, unsigned back, const RowSplit& split, unsigned head_kind, Sink&& sink) {
  const std::vector<Node>& rest = split.rest;
  const RowHead head{back, split.runs.size(), rest.size()};
  sink(context::kHead + head_kind, token_of(head));
  const RowHead told = RowHead::of(head.symbol());
  if (told.more_back()) sink(context::kMoreBack, token_of(head.back - told.back));
  if (told.more_runs()) sink(context::kMoreRuns, token_of(head.runs - told.runs));
  if (told.more_rest()) sink(context::kMoreRest + (back != 0), token_of(head.rest - told.rest));
  unsigned run_context = context::kFirstRun;
  for (size_t i = 0; i < split.runs.size(); ++i) {
    const uint64_t run = split.runs[i] - (i > 0);  // only the first can be empty
    sink(run_context, token_of(run));
    run_context = context::after(run_context, run);
  }
  if (rest.empty()) return;
  const uint64_t first = zigzag_encode(static_cast<int64_t>(rest[0] - page));
  sink(context::kFirst + first_kind(rest.size(), back != 0), token_of(first));
  unsigned gap_context = context::kGapAtStart;
  for (size_t i = 1; i < rest.size();) {
    if (gap_context == context::kZeros) {
      const size_t start = i;
      while (i < rest.size() && rest[i] == rest[i - 1] + 1) ++i;
      sink(context::kZeros, token_of(i - start));
      gap_context = context::kGapAfterZeros;
    } else {
      const uint64_t gap = rest[i] - rest[i - 1] - 1;
      sink(gap_context, token_of(gap));
      gap_context = context::after(gap_context, gap);
      ++i;
    }
  }
}

}  // namespace aduana
