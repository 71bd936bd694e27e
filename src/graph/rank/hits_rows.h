// HITS pulled over the two directions of a graph: authorities gather from the row of in-links, hubs from that of
// out-links.
#pragma once

#include "graph/rank/hits_method.h"
#include "graph/rank/row_sweep.h"

namespace aduana {

template <RowGraph Out, RowGraph In>
class HitsOnRows final : public HitsMethod {
 public:
  HitsOnRows(const Out& out_links, const In& in_links, unsigned threads)
      : out_links_(out_links), in_links_(in_links), threads_(threads) {}

  Result<double> from_sources(std::span<const float> values, std::span<float> sums) override {
    return gather(in_links_, values.data(), sums);
  }
  Result<double> from_targets(std::span<const float> values, std::span<float> sums) override {
    return gather(out_links_, values.data(), sums);
  }

 private:
  struct Squares {
    double total = 0;
    void add(const Squares& other) { total += other.total; }
  };

  template <RowGraph G>
  Result<double> gather(const G& graph, const float* values, std::span<float> sums) {
    const auto row = [values, sums](Squares& squares, Node page, auto others) {
      const double sum = sum_over(others, [values](Node other) { return values[other]; });
      squares.total += sum * sum;
      sums[page] = static_cast<float>(sum);
    };
    ADUANA_ASSIGN(const Squares squares, sweep_rows<Squares>(graph, sums.size(), threads_, row));
    return squares.total;
  }

  const Out& out_links_;
  const In& in_links_;
  const unsigned threads_;
};

}  // namespace aduana
