// For tests: graphs as plain lists of links, some of them random, and a LinkSource of such a list.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "base/must.h"
#include "graph/rank/csr.h"

namespace aduana {

using LinkVector = std::vector<NodeLink>;

class VectorLinks : public LinkSource {
 public:
  explicit VectorLinks(LinkVector links) : links_(std::move(links)) {}

  Result<size_t> next(std::span<NodeLink> links) override {
    const size_t n = std::min(links.size(), links_.size() - at_);
    std::copy_n(links_.begin() + static_cast<ptrdiff_t>(at_), n, links.begin());
    at_ += n;
    return n;
  }
  Status reset() override {
    at_ = 0;
    return {};
  }

 private:
  LinkVector links_;
  size_t at_ = 0;
};

// No two links are the same. With a `skew` above 1 some pages are linked far more often than others.
inline LinkVector random_links(uint64_t nodes, size_t links, std::mt19937& random, double skew = 1) {
  std::uniform_real_distribution<double> uniform;
  const auto node = [&](double power) { return static_cast<Node>(std::pow(uniform(random), power) * double(nodes)); };
  LinkVector result;
  std::set<std::pair<Node, Node>> seen;
  for (size_t i = 0; i < links; ++i) {
    const NodeLink link{node(1), node(skew)};
    if (seen.emplace(link.from, link.to).second) result.push_back(link);
  }
  return result;
}

inline std::vector<float> random_scores(uint64_t nodes, std::mt19937& random) {
  std::uniform_real_distribution<float> uniform(-0.2f, 1);  // some count as 0
  std::vector<float> scores(nodes);
  for (float& score : scores) score = uniform(random);
  return scores;
}

inline Csr<uint32_t> out_rows(uint64_t nodes, const LinkVector& links) {
  VectorLinks source(links);
  return must(Csr<uint32_t>::from_links(source, nodes));
}

inline Csr<uint32_t> in_rows(uint64_t nodes, const LinkVector& links) {
  VectorLinks source(links);
  return must(Csr<uint32_t>::from_links(source, nodes, Rows::transposed));
}

}  // namespace aduana
