#include "graph/rank/row_sweep.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "base/must.h"

namespace aduana {
namespace {

TEST(InChunks, CoversEverythingOnce) {
  for (const uint64_t n : {0, 1, 255, 256, 257, 1000, 100'000}) {
    for (const unsigned threads : {1u, 2u, 7u, 1'000'000u}) {
      std::vector<std::atomic<int>> seen(n);
      must(in_chunks(n, threads, [&](Node lo, Node hi) -> Status {
        for (Node i = lo; i < hi; ++i) ++seen[i];
        return {};
      }));
      for (const auto& times : seen) ASSERT_EQ(times, 1);
    }
  }
}

TEST(SumOver, AddsEveryTarget) {
  for (uint32_t n = 0; n < 20; ++n) {
    std::vector<uint32_t> row(n);
    std::iota(row.begin(), row.end(), 1);
    EXPECT_EQ(sum_over(std::span<const uint32_t>(row), [](Node target) { return float(target); }), n * (n + 1) / 2);
  }
}

}  // namespace
}  // namespace aduana
