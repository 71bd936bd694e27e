// Graphs of many shapes for the tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "graph/codec/group_encoder.h"
#include "graph/node.h"

namespace aduana {

struct Shape {
  std::string name;
  uint64_t nodes = 0;
  std::vector<NodeLink> links;  // sorted, without doubles
};

inline Shape shape_of(std::string name, uint64_t nodes, std::vector<NodeLink> links) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return {std::move(name), nodes, std::move(links)};
}

inline Shape random_shape(uint64_t nodes, size_t links, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NodeLink> all;
  for (size_t i = 0; i < links; ++i) all.push_back({random() % nodes, random() % nodes});
  return shape_of("random", nodes, std::move(all));
}

// Popular pages, pages that copy the links of others, neighbours: as the web is.
inline Shape web_shape(uint64_t nodes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NodeLink> all;
  std::vector<std::vector<Node>> rows(nodes);
  for (Node page = 0; page < nodes; ++page) {
    if (random() % 4 == 0) continue;
    if (page > 10 && random() % 3) {
      const auto& like = rows[page - 1 - random() % 10];
      for (const Node to : like) {
        if (random() % 10) rows[page].push_back(to);
      }
    }
    for (size_t n = random() % 8; n > 0; --n) {
      const double u = static_cast<double>(random() % 1'000'000 + 1) / 1e6;
      const Node popular = static_cast<Node>(std::pow(u, 4) * static_cast<double>(nodes - 1));
      rows[page].push_back(random() % 2 ? popular : std::min(nodes - 1, page + random() % 20));
    }
    for (const Node to : rows[page]) all.push_back({page, to});
  }
  return shape_of("web", nodes, std::move(all));
}

inline std::vector<Shape> all_shapes() {
  std::vector<Shape> shapes;
  shapes.push_back(shape_of("nothing", 0, {}));
  shapes.push_back(shape_of("one page", 1, {}));
  shapes.push_back(shape_of("one page that links to itself", 1, {{0, 0}}));
  shapes.push_back(shape_of("no links", 1000, {}));
  std::vector<NodeLink> star, back, clique, self, chain, runs;
  for (Node i = 1; i < 40'000; ++i) star.push_back({0, i}), back.push_back({i, 0});
  for (Node i = 0; i < 150; ++i) {
    for (Node j = 0; j < 150; ++j) clique.push_back({i, j});
  }
  for (Node i = 0; i < 500; ++i) self.push_back({i, i});
  for (Node i = 0; i + 1 < 500; ++i) chain.push_back({i, i + 1});
  for (Node i = 0; i < 300; ++i) {
    for (Node j = i; j < i + i % 40; ++j) runs.push_back({i, 2 * j}), runs.push_back({i, 5000 + j});
  }
  shapes.push_back(shape_of("star", 40'000, std::move(star)));
  shapes.push_back(shape_of("star, turned round", 40'000, std::move(back)));
  shapes.push_back(shape_of("clique", 150, std::move(clique)));
  shapes.push_back(shape_of("links to itself", 500, std::move(self)));
  shapes.push_back(shape_of("chain", 500, std::move(chain)));
  shapes.push_back(shape_of("runs", 6000, std::move(runs)));
  shapes.push_back(shape_of("far away", uint64_t{1} << 17,
                            {{0, (1 << 17) - 1}, {5, 1}, {(1 << 17) - 1, 0}, {(1 << 17) - 1, (1 << 17) - 1}}));
  shapes.push_back(random_shape(2000, 30'000, 1));
  shapes.push_back(random_shape(17, 100, 2));
  shapes.push_back(web_shape(20'000, 3));
  return shapes;
}

inline RowBatch rows_of(const Shape& shape) {
  RowBatch rows;
  size_t at = 0;
  for (Node node = 0; node < shape.nodes; ++node) {
    while (at < shape.links.size() && shape.links[at].from == node) rows.links.push_back(shape.links[at++].to);
    rows.ends.push_back(rows.links.size());
  }
  return rows;
}

}  // namespace aduana
