// For tests: graphs as plain lists of links, some of them random.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "base/must.h"
#include "graph/edges/listed_links.h"
#include "graph/rank/csr.h"

namespace aduana {

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
  ListedLinks source(links);
  return must(Csr<uint32_t>::from_links(source, nodes));
}

inline Csr<uint32_t> in_rows(uint64_t nodes, const LinkVector& links) {
  ListedLinks source(links);
  return must(Csr<uint32_t>::from_links(source, nodes, Rows::transposed));
}

}  // namespace aduana
